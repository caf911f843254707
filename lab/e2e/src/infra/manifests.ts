import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse, parseAllDocuments } from 'yaml';
import { CHECKS_DIR, runCheck } from './compose-project.ts';

/** One object of a cluster. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: of the shape that its schema says, against which it is held first.
  readonly spec?: any;
  readonly data?: Readonly<Record<string, string>>;
  readonly automountServiceAccountToken?: boolean;
}

/** What kustomize makes of a folder. */
export function buildManifests(folder: string): readonly Manifest[] {
  return parseAllDocuments(runCheck('kustomize', ['build', folder])).map((document) => document.toJS() as Manifest);
}

type Validate = (manifest: Manifest) => readonly string[];

/** Holds objects against the schemas of a version of Kubernetes and of the operators', which take no field that they do not name. */
export function createValidator(version: string): Validate {
  const folder = join(CHECKS_DIR, 'schemas', `v${version}-local-strict`);
  const base = 'https://kubernetes.io/api';
  // Formats such as `int32` say nothing that the types do not.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(JSON.parse(readFileSync(join(folder, '_definitions.json'), 'utf8')), `${base}/_definitions.json`);
  const known = new Map<string, ValidateFunction>();
  const customs = readCustomSchemas();

  function validatorOf({ apiVersion, kind }: Manifest): ValidateFunction {
    const id = `${apiVersion} ${kind}`;
    const found = known.get(id) ?? ajv.compile(customs.get(id) ?? readSchema(folder, apiVersion, kind));
    known.set(id, found);
    return found;
  }

  return (manifest) => {
    const validate = validatorOf(manifest);
    if (validate(manifest as unknown)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${manifest.kind} ${manifest.metadata.name}: ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

function readSchema(folder: string, apiVersion: string, kind: string): object {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const name = [kind.toLowerCase(), ...(group === '' ? [] : [group.split('.')[0]]), version].join('-');
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}

interface CustomResource {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

/** Schemas of operators' resources by `apiVersion kind`. */
function readCustomSchemas(): ReadonlyMap<string, object> {
  const folder = join(CHECKS_DIR, 'crds');
  return new Map(
    readdirSync(folder).flatMap((file) => {
      const { spec } = parse(readFileSync(join(folder, file), 'utf8')) as CustomResource;
      return spec.versions.map(({ name, schema: { openAPIV3Schema: schema } }) => {
        const properties = { ...schema.properties, metadata: {} };
        return [`${spec.group}/${name} ${spec.names.kind}`, closed({ ...schema, properties })] as const;
      });
    }),
  );
}

/** A cluster drops what a schema does not name, without a word; here it is an error. */
function closed(schema: Schema): object {
  const { properties, additionalProperties, items, pattern, ...rest } = schema;
  const isOpen = properties === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...rest,
    // Go's own notation of ignoring case is no pattern of JavaScript.
    ...(pattern !== undefined && !pattern.includes('(?i)') && { pattern }),
    ...(schema['x-kubernetes-int-or-string'] === true && { type: ['integer', 'string'] }),
    ...(items && { items: closed(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, closed(property)])),
    }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: closed(additionalProperties) }
      : !isOpen && { additionalProperties: false }),
  };
}
