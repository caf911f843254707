import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** What a service says of one of its operations, in its OpenAPI document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** What is wrong with an answer; null where it is as described. */
  faultOf(status: number, body: unknown): string | null;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: unknown;
}
interface DescribedOperation {
  readonly operationId?: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >;
}

/** All operations of a document, by id, each with the schemas of its answers. */
export function readOperations({ paths, components }: Document): ReadonlyMap<string, Operation> {
  // Formats are names for readers; what they mean is in the patterns beside them.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  const operations = new Map<string, Operation>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      if (operationId === undefined) continue;
      const compiled = new Map<number, ValidateFunction>();
      const validatorOf = (status: number) => {
        const schema = responses[status]?.content?.['application/json']?.schema;
        if (schema === undefined) return undefined;
        const validate = compiled.get(status) ?? ajv.compile({ ...schema, components });
        compiled.set(status, validate);
        return validate;
      };
      operations.set(operationId, {
        id: operationId,
        method: method.toUpperCase(),
        path,
        faultOf(status, body) {
          if (responses[status] === undefined) return `it answers ${status}, which it does not describe`;
          const validate = validatorOf(status);
          if (validate === undefined || validate(body)) return null;
          const [error] = validate.errors ?? [];
          return `its answer is not as described: ${error?.instancePath || 'it'} ${error?.message}`;
        },
      });
    }
  }
  return operations;
}
