import sharp from 'sharp';
import { DEMO_MEMORIES } from '../../server/demo/demo-memories.ts';
import { readDemoPhoto } from '../../server/demo/demo-photos.ts';
import { inspectImage } from '../../server/platform/image-decoder/decoder-process/decode-image.ts';
import type { InspectedImage } from '../../server/platform/image-decoder/decoder-process/decoder-protocol.ts';

export type Photo = { bytes: Buffer; image: InspectedImage };

/** A dozen photos of the demo, at half their size. */
export function loadDemoPhotos(): Promise<Photo[]> {
  const chosen = DEMO_MEMORIES.filter((_, index) => index % 5 === 0);
  return Promise.all(
    chosen.map(async ({ photo }) => {
      const source = sharp(await readDemoPhoto(photo));
      const bytes = await source.resize(800, 800, { fit: 'inside' }).jpeg({ quality: 84 }).toBuffer();
      return { bytes, image: (await inspectImage(bytes)).image };
    }),
  );
}
