import { describe } from 'vitest';
import { simulatedSubject } from '../testing/simulated-subject.ts';
import { storeConformance } from '../testing/store-conformance.ts';

describe('the simulated store', () => {
  storeConformance(async () => simulatedSubject());
});
