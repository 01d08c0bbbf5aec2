import type { Store } from '../ports.ts';
import type { StoreModel } from './store-model.ts';

/**
 * The executor's `Store` over a model.
 * @param call performs one atomic call and gives its answer, now or whenever a scheduler says so; `label` names it
 */
export function simulatedStore(
  model: () => StoreModel,
  call: <T>(label: string, perform: () => T) => Promise<T>,
): Store {
  return {
    registerContracts: (rows) =>
      call('registerContracts', () => rows.map((row) => model().registerContract(row))),
    readContracts: (rows) =>
      call('readContracts', () =>
        rows.map(({ name, version }) => model().contracts.get(`${name}@${version}`)?.body ?? null),
      ),
    claim: (rows) => call('claim', () => rows.map((row) => model().claim(row))),
    read: (rows) => call('read', () => rows.map((row) => model().read(row))),
    transition: (event, rows) => call(event, () => rows.map((row) => model().transition(event, row))),
    heartbeat: (rows) => call('heartbeat', () => rows.map((row) => model().heartbeat(row))),
    addEvents: (rows) =>
      call('addEvents', () => {
        for (const row of rows) model().addEvent(row);
      }),
    recordEvidence: (rows) => call('recordEvidence', () => rows.map((row) => model().recordEvidence(row))),
    expiredLeases: (limit) => call('expiredLeases', () => model().expiredLeases(limit)),
    abandonable: (limit) => call('abandonable', () => model().abandonable(limit)),
    pastRetention: (limit) => call('pastRetention', () => model().pastRetention(limit)),
    postpone: (rows) => call('postpone', () => rows.filter((row) => model().postpone(row)).length),
    dutyRan: () => call('dutyRan', () => {}),
    takeReconcilable: (tools, limit, seconds) =>
      call('takeReconcilable', () => model().takeReconcilable(tools, limit, seconds)),
    resendable: (tools, limit) => call('resendable', () => model().resendable(tools, limit)),
    takeLookupRequests: (tools, limit, seconds) =>
      call('takeLookupRequests', () => model().takeLookupRequests(tools, limit, seconds)),
  };
}
