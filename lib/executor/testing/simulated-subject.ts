import { simulatedStore } from '../simulation/simulated-store.ts';
import { StoreModel } from '../simulation/store-model.ts';
import type { Subject } from './store-subject.ts';

/** The simulated store as a subject: its clock ticks with every call, as a database's does. */
export function simulatedSubject(): Subject & { model: StoreModel } {
  let now = 1_000_000;
  let passed = 0;
  const model = new StoreModel(() => (now += 1));
  return {
    model,
    store: simulatedStore(
      () => model,
      async (_label, perform) => perform(),
    ),
    pass: async (seconds) => {
      now += seconds * 1_000;
      passed += seconds;
    },
    instant: (text) => text,
    passed: () => passed,
  };
}
