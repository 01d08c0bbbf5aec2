import { defineContract, type Tool } from '../executor/index.ts';
import { contractDigest } from '../executor/contract/contract-digest.ts';
import type { FaultSubject } from './subject.ts';

/** The tool as it is shipped, and as it is played: the same one, unless the subject states shorter times. */
export interface PlayedTool {
  shipped: Tool;
  played: Tool;
  shippedDigest: string;
  playedDigest: string;
}

export function playedTool(subject: FaultSubject, downstreamUrl: string): PlayedTool {
  const shipped = subject.tool(downstreamUrl);
  const shippedDigest = contractDigest(shipped.contract);
  if (subject.timing === undefined)
    return { shipped, played: shipped, shippedDigest, playedDigest: shippedDigest };
  const contract = defineContract({
    ...shipped.contract,
    ...subject.timing,
    version: `${shipped.contract.version}-faults`,
  });
  return { shipped, played: { ...shipped, contract }, shippedDigest, playedDigest: contractDigest(contract) };
}
