import { parentPort } from 'node:worker_threads';
import { CONFIGURATIONS } from './configurations.ts';
import { exploreAll, exploreSeeds, type Found } from './explore.ts';
import type { Piece } from './simulate.ts';

/** A thread of a simulation: explores the pieces that it is given, one after the other. */
parentPort?.on('message', (piece: Piece) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void explore(piece).then((found) => parentPort?.postMessage(found));
});

async function explore(piece: Piece): Promise<Found> {
  const configuration = CONFIGURATIONS.find(({ name }) => name === piece.configuration);
  if (configuration === undefined) throw new Error(`no configuration ${piece.configuration}`);
  return piece.how === 'all'
    ? await exploreAll(configuration, piece.depth)
    : await exploreSeeds(configuration, piece.first, piece.count);
}
