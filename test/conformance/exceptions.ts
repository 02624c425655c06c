import type { Findings, Revision } from './suite.ts';

/** A required scenario that a server may fail, or only checks of it. */
export type Exception = { scenario: string; checks?: readonly string[]; reason: string };

export type Exceptions = Readonly<Record<Revision, readonly Exception[]>>;

/** What the server with the fixtures fails although the SDK by itself passes it. */
export const exceptions: Exceptions = { '2025-11-25': [], '2026-07-28': [] };

const inBoth: readonly Exception[] = [
  notOffered('completion-complete', 'completions'),
  needs('tools-call-simple-text', 'test_simple_text'),
  needs('tools-call-image', 'test_image_content'),
  needs('tools-call-audio', 'test_audio_content'),
  needs('tools-call-embedded-resource', 'test_embedded_resource'),
  needs('tools-call-mixed-content', 'test_multiple_content_types'),
  needs('tools-call-error', 'test_error_handling'),
  needs('tools-call-with-progress', 'test_tool_with_progress'),
  needs('resources-read-text', 'test://static-text'),
  needs('resources-read-binary', 'test://static-binary'),
  needs('resources-templates-read', 'test://template/{id}/data'),
  needs('prompts-get-simple', 'test_simple_prompt'),
  needs('prompts-get-with-args', 'test_prompt_with_arguments'),
  needs('prompts-get-embedded-resource', 'test_prompt_with_embedded_resource'),
  needs('prompts-get-with-image', 'test_prompt_with_image'),
];

/** What the server by itself can't pass: it has other tools, prompts and resources. */
export const needFixtures: Exceptions = {
  '2025-11-25': [
    ...inBoth,
    notOffered('logging-set-level', 'logging'),
    notOffered('tools-call-with-logging', 'logging'),
    notOffered('resources-subscribe', 'resource subscriptions'),
    notOffered('resources-unsubscribe', 'resource subscriptions'),
    needs('tools-call-sampling', 'test_sampling'),
    needs('tools-call-elicitation', 'test_elicitation'),
    needs('elicitation-sep1034-defaults', 'test_elicitation_sep1034_defaults'),
    needs('elicitation-sep1330-enums', 'test_elicitation_sep1330_enums'),
  ],
  '2026-07-28': [
    ...inBoth,
    needs('server-stateless', 'test_missing_capability', [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
    ]),
    needs('server-stateless', 'test_streaming_elicitation', [
      'sep-2575-http-server-no-independent-requests-on-stream',
    ]),
    needs('server-stateless', 'test_logging_tool', ['sep-2575-server-no-log-without-loglevel']),
    asks('basic-elicitation', 'elicitation'),
    asks('missing-input-response', 'elicitation'),
    asks('result-type', 'elicitation'),
    asks('ignore-extra-params', 'elicitation'),
    asks('basic-sampling', 'sampling'),
    asks('basic-list-roots', 'list_roots'),
    asks('request-state', 'request_state'),
    asks('tampered-state', 'tampered_state'),
    asks('multiple-input-requests', 'multiple_inputs'),
    asks('multi-round', 'multi_round'),
    asks('capability-check', 'capabilities'),
    asks('non-tool-request', 'prompt'),
  ],
};

function needs(scenario: string, fixture: string, checks?: readonly string[]): Exception {
  return { scenario, ...(checks && { checks }), reason: `needs \`${fixture}\`` };
}

function asks(scenario: string, fixture: string): Exception {
  return needs(`input-required-result-${scenario}`, `test_input_required_result_${fixture}`);
}

function notOffered(scenario: string, feature: string): Exception {
  return { scenario, reason: `optional and not offered: ${feature}` };
}

/** What contradicts the list of exceptions, a line for each; none is as it should be. */
export function contradictions(found: Findings, listed: readonly Exception[]): string[] {
  const failed = [...found].flatMap(([scenario, findings]) =>
    findings
      .filter(({ id }) => !listed.some((exception) => isAbout(exception, scenario, id)))
      .map(({ id, status, message }) => `${scenario}: ${status} of ${id}: ${message}`),
  );
  const passed = listed.flatMap(({ scenario, checks }) => {
    const failing = (found.get(scenario) ?? []).map(({ id }) => id);
    if (checks === undefined) return failing.length === 0 ? [scenario] : [];
    return checks.filter((id) => !failing.includes(id)).map((id) => `${scenario} ${id}`);
  });
  return [...failed, ...passed.map((what) => `${what} passes now: no exception any more`)];
}

function isAbout({ scenario, checks }: Exception, name: string, check: string): boolean {
  return scenario === name && (checks === undefined || checks.includes(check));
}
