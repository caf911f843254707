import { type ComposeReader, runCheck } from './check-tools.ts';

/** A container as compose itself understands the files, as far as tests look at it. */
export interface ComposeContainer {
  readonly image: string;
  readonly ipc?: string;
  readonly build?: { readonly dockerfile: string; readonly target: string };
  readonly command: readonly string[] | null;
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly { readonly host_ip?: string; readonly target: number; readonly published: string }[];
  readonly volumes?: readonly { readonly type: string; readonly source: string; readonly target: string }[];
  readonly secrets?: readonly { readonly source: string; readonly target: string }[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly deploy: {
    readonly resources: { readonly limits?: { readonly cpus: number; readonly memory: string; readonly pids: number } };
  };
}

export interface ComposeProject {
  readonly services: Readonly<Record<string, ComposeContainer>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

/**
 * Reads compose files laid over each other, with compose's own code.
 * @throws with compose's own words, such as where a variable is missing or the files are against its schema.
 */
export function readComposeProject(
  files: readonly string[],
  variables: Readonly<Record<string, string>>,
  reader: ComposeReader = 'compose-check',
): ComposeProject {
  return JSON.parse(runCheck(reader, files, variables)) as ComposeProject;
}
