import type { Contract } from './contract.ts';

/**
 * The tool's description for the model, derived from its contract so that it cannot promise something else:
 * when to call it, effect, material fields, what a repeat returns, when to poll, what a mismatch means. It explains; the executor
 * enforces. Give it to the model beside the tool's input schema.
 */
export function describeTool(contract: Contract): string {
  const paragraphs = contract.effect_class === 'read' ? readParagraphs(contract) : writeParagraphs(contract);
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n');
}

function readParagraphs(contract: Contract): string[] {
  return [
    contract.purpose,
    ...occasionParagraphs(contract),
    'This tool only reads; it may be called again.',
    contract.freshness === undefined ? '' : `Freshness: ${contract.freshness}`,
    contract.audit_on_read === true ? 'Every reading is recorded.' : '',
  ];
}

function writeParagraphs(contract: Contract): string[] {
  return [
    contract.purpose,
    ...occasionParagraphs(contract),
    `Effect: ${contract.effects.join('; ')}.${contract.effect_class === 'irreversible' ? ' It cannot be undone.' : ''}`,
    materialParagraph(contract),
    'The application knows which step this call belongs to; never put a key, a tenant or a fingerprint in the arguments.',
    repeatParagraph(contract),
    'If the status is "in_flight", do not call again: ask for the status of the operation after retry_after_seconds.',
    'If the status is "unknown", it may have happened: do not call again and do not use another step. A person or a lookup settles it.',
    'If the status is "rejected" with the reason "fingerprint_mismatch", this step already belongs to a request with other values; nothing happened. Correct the arguments to what was asked for, or have the operation inspected; a different request needs a new decision of the user.',
    decisionParagraph(contract),
  ];
}

function occasionParagraphs({ use_when: use = [], do_not_use_when: leave = [] }: Contract): string[] {
  return [
    use.length === 0 ? '' : `Use it when: ${use.join(' ')}`,
    leave.length === 0 ? '' : `Do not use it when: ${leave.join(' ')}`,
  ];
}

function materialParagraph({ material, ignored }: Contract): string {
  const identifying = Object.entries(material)
    .filter(([, { rules }]) => !rules.includes('ignore'))
    .map(([name]) => name);
  const others = [
    ...Object.keys(material).filter((name) => !identifying.includes(name)),
    ...Object.keys(ignored),
  ];
  const identity =
    identifying.length === 0
      ? 'The request has no fields that identify it.'
      : `These fields identify the request: ${identifying.join(', ')}.`;
  return others.length === 0 ? identity : `${identity} These do not: ${others.join(', ')}.`;
}

function repeatParagraph({ replay }: Contract): string {
  const result =
    replay.fields.length === 0 ? 'its recorded outcome' : `the recorded ${replay.fields.join(', ')}`;
  return `A repeat of the same call in the same step makes no second effect: it returns ${result} with the status "replayed". Doing it once more on purpose is a new step, which only a new request of the user justifies.`;
}

function decisionParagraph({ decision, approval }: Contract): string {
  if (decision === 'manual')
    return 'It is not run automatically: every call is rejected, and a person does it.';
  if (decision === 'automate_with_approval' || (approval && 'valid_seconds' in approval)) {
    return 'A person approves each operation first: the status "rejected" with the reason "approval_required" means that nothing happened yet and approval is asked for.';
  }
  return '';
}
