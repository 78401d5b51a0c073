import type { InspectedImage, Rendering } from './decode-image.ts';
import type { RefusalReason } from './image-refusal.ts';

/** What the server asks of the decoder's process. A probe looks at the first bytes only, and may come in between. */
export type TaskContent = { bytes: Uint8Array } & (
  { kind: 'probe' } | { kind: 'inspect' } | { kind: 'render'; renderings: Rendering[] }
);
export type Task = TaskContent & { id: number };

/** Sent once, when the decoder can take its first task. */
export const READY = 'ready';

/** What comes back: one of result, refused and failed. */
export type Answer = {
  id: number;
  result?: 'probed' | InspectedImage | Uint8Array[];
  refused?: RefusalReason;
  failed?: string;
  /** How much of its limit the process holds after it. */
  memoryBytes?: number;
};
