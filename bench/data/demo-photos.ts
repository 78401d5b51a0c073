import { DEMO_STORIES } from '../../server/demo/demo-stories.ts';
import { drawPicture } from '../../server/demo/drawing/draw-picture.ts';
import { inspectImage } from '../../server/platform/image-decoder/decoder-process/decode-image.ts';
import type { InspectedImage } from '../../server/platform/image-decoder/decoder-process/decoder-protocol.ts';

export type Photo = { bytes: Buffer; image: InspectedImage };

/** A dozen photos of the demo. */
export function loadDemoPhotos(): Promise<Photo[]> {
  const chosen = DEMO_STORIES.filter((_, index) => index % 5 === 0);
  return Promise.all(
    chosen.map(async ({ picture }, index) => {
      const bytes = await drawPicture({ ...picture, seed: index + 1 }, 0.5);
      return { bytes, image: await inspectImage(bytes) };
    }),
  );
}
