import type { InspectedImage, Rendering } from './decode-image.ts';
import type { RefusalReason } from './image-refusal.ts';

/** What the server sends to the decoder's process. */
export type Task = { id: number; bytes: Uint8Array } & (
  { kind: 'inspect' } | { kind: 'render'; renderings: Rendering[] }
);

/** Sent once, when the decoder can take its first task. */
export const READY = 'ready';

/** What comes back: one of result, refused and failed. */
export type Answer = {
  id: number;
  result?: InspectedImage | Uint8Array[];
  refused?: RefusalReason;
  failed?: string;
};
