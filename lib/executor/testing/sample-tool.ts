import { z } from 'zod';
import { ticketsCreateContract } from '../../demo/tools/tickets-create.ts';
import {
  defineContract,
  defineTool,
  type ContractInput,
  type EffectAnswer,
  type EffectCall,
  type Tool,
} from '../index.ts';
import { newVersion } from './bench.ts';

/** Material fields of any JSON, for requests that no demo tool takes. */
const anyFields = (...names: string[]): ContractInput['material'] =>
  Object.fromEntries(names.map((name) => [name, { rules: [] }]));

/**
 * A tool around an effect function of the test's own: no downstream is asked, and nothing can be looked up. Its class
 * is key_based without deduplication, so every doubt is final, unless the change says otherwise.
 */
export function sampleTool(
  effect: (call: EffectCall<unknown>) => EffectAnswer | Promise<EffectAnswer>,
  change: Partial<ContractInput> = {},
): Tool {
  const {
    lookup: _lookup,
    postcondition: _postcondition,
    target_label: _label,
    ...contract
  } = ticketsCreateContract;
  const { key_window_seconds: _window, ...downstream } = contract.downstream;
  return defineTool<unknown>({
    contract: defineContract({
      ...contract,
      name: 'sample.act',
      version: newVersion(),
      downstream: { ...downstream, connector: 'sample', deduplicates: false },
      material: anyFields('value', 'b'),
      replay: { fields: ['id', 'value', 'note'], sensitive: [], max_bytes: 4_096 },
      ...change,
    }),
    input: z.unknown(),
    effect: effect as (call: EffectCall<unknown>) => Promise<EffectAnswer>,
  });
}
