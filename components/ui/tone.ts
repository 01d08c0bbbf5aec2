import type { Tone } from '../../lib/client/status-words.ts';

/** Text in the colour of a tone. */
export const TONE_TEXT: Record<Tone, string> = {
  applied: 'text-applied',
  replayed: 'text-replayed',
  inflight: 'text-inflight',
  rejected: 'text-rejected',
  unknown: 'text-unknown',
  failed: 'text-failed',
  newkey: 'text-newkey',
};

/** The soft ground of a tone, with its text. */
export const TONE_SOFT: Record<Tone, string> = {
  applied: 'bg-applied-soft text-applied',
  replayed: 'bg-replayed-soft text-replayed',
  inflight: 'bg-inflight-soft text-inflight',
  rejected: 'bg-rejected-soft text-rejected',
  unknown: 'bg-unknown-soft text-unknown',
  failed: 'bg-failed-soft text-failed',
  newkey: 'bg-newkey-soft text-newkey',
};

/** The soft ground of a tone inside a drawing. */
export const TONE_FILL: Record<Tone, string> = {
  applied: 'fill-applied-soft',
  replayed: 'fill-replayed-soft',
  inflight: 'fill-inflight-soft',
  rejected: 'fill-rejected-soft',
  unknown: 'fill-unknown-soft',
  failed: 'fill-failed-soft',
  newkey: 'fill-newkey-soft',
};
