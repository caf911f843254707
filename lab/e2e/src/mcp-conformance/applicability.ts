const ANOTHER_WAY = 'the way of 2026-07-28 is `input-required-result-*`';
const TASKS = 'tasks, an extension that is not offered: a call is answered while it is waited for';
const SKILLS = 'skills, an extension that is not offered';

/** Scenarios that do not apply to this service, and what they need. The suite fails when one of them passes. */
export const NOT_APPLYING: Readonly<Record<string, string>> = {
  'logging-set-level': 'a level of log messages that lasts for a session',
  'tools-call-with-logging': 'log messages of the level that a session was set to',
  'tools-call-sampling': `a question to the client within a session; ${ANOTHER_WAY}`,
  'tools-call-elicitation': `a question to the user within a session; ${ANOTHER_WAY}`,
  'elicitation-sep1034-defaults': `a question to the user within a session; ${ANOTHER_WAY}`,
  'elicitation-sep1330-enums': `a question to the user within a session; ${ANOTHER_WAY}`,
  'resources-subscribe': 'resources that change within a session',
  'resources-unsubscribe': 'resources that change within a session',
  'server-sse-polling': 'streams that are taken up again within a session',
  'tasks-lifecycle': TASKS,
  'tasks-capability-negotiation': TASKS,
  'tasks-wire-fields': TASKS,
  'tasks-request-state-removal': TASKS,
  'tasks-mrtr-input': TASKS,
  'tasks-request-headers': TASKS,
  'tasks-dispatch-and-envelope': TASKS,
  'tasks-required-task-error': TASKS,
  'tasks-mrtr-composition': TASKS,
};

/** Left out by the suite itself: of no revision that is run, or without a check. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'tasks-status-notifications': TASKS,
  'sep-2640-skills-directory': SKILLS,
  'sep-2640-skills-enumeration': SKILLS,
  'sep-2640-skills-manifest': SKILLS,
};

/**
 * Scenarios that call tools, resources or prompts by the suite's names. With its fixtures beside the service's tools they say that
 * the door carries all of the protocol; without, they cannot be run.
 */
export const NEEDING_FIXTURES: readonly string[] = [
  'completion-complete',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'server-stateless',
  'http-custom-header-server-validation',
  'input-required-result-basic-elicitation',
  'input-required-result-basic-sampling',
  'input-required-result-basic-list-roots',
  'input-required-result-request-state',
  'input-required-result-multiple-input-requests',
  'input-required-result-multi-round',
  'input-required-result-missing-input-response',
  'input-required-result-ignore-extra-params',
  'input-required-result-non-tool-request',
  'input-required-result-result-type',
  'input-required-result-tampered-state',
  'input-required-result-capability-check',
];
