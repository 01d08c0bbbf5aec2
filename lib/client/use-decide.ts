'use client';
import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import type { CasePage } from '../shapes/case-row.ts';
import { decided, type DecideInput } from '../shapes/decision.ts';
import type { OperationDetail } from '../shapes/operation-record.ts';
import type { Scope } from '../shapes/scope.ts';
import { endpoints, pages } from './addresses.ts';
import { send } from './ask.ts';
import { setLastVerdict } from './last-verdict.ts';
import { casesKey, scopeKey } from './questions.ts';
import type { KeptDraft } from './verdict-draft.ts';

/** The case after this one in the list; the first other one where it is the last, or was never there. */
export function caseAfter(keys: readonly string[], key: string): string | null {
  const at = keys.indexOf(key);
  return keys[at + 1] ?? keys.find((other) => other !== key) ?? null;
}

/**
 * Sends a verdict, then goes to the next case. The same content is sent under the same id, so that a double click, a
 * reload, or a reply that was lost decides once; a decision that turns out to have arrived counts as recorded.
 */
export function useDecide(scope: Scope, detail: OperationDetail, { draft, change, clear }: KeptDraft) {
  const client = useQueryClient();
  const router = useRouter();
  const { record } = detail;

  const recorded = (auditSequence: number | null, status: string) => {
    const list = client.getQueryData<InfiniteData<CasePage>>(casesKey(scope));
    const keys = list?.pages.flatMap((page) => page.cases.map((one) => one.operation_key)) ?? [];
    const next = caseAfter(keys, record.operation_key);
    setLastVerdict({
      key: record.operation_key,
      tool: record.tool_name,
      target: detail.target,
      status,
      href: pages.case(scope, record.operation_key),
      auditSequence,
    });
    clear();
    router.push(next === null ? pages.queue(scope) : pages.case(scope, next));
  };

  const deciding = useMutation({
    mutationFn: (input: Omit<DecideInput, 'decision_id'>) => {
      const content = JSON.stringify(input);
      const id = draft.sent?.content === content ? draft.sent.id : crypto.randomUUID();
      change({ sent: { id, content } });
      return send(endpoints.decisions(scope, record.operation_key), { ...input, decision_id: id }, decided);
    },
    onSuccess: (answer) => recorded(answer.audit_sequence, answer.status),
    onSettled: () => client.invalidateQueries({ queryKey: scopeKey(scope) }),
  });

  const arrived = detail.decisions.find(
    (one) => one.decision_id === draft.sent?.id && one.state === 'recorded',
  );
  const isArrived = arrived !== undefined && !deciding.isPending;
  useEffect(() => {
    if (isArrived) recorded(arrived.audit_sequence, arrived.verdict);
    // oxlint-disable-next-line react/exhaustive-deps -- once for the decision that arrived
  }, [isArrived]);
  return deciding;
}
