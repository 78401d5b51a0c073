import sharp from 'sharp';
import type { CaricatureArtist } from '../../ports/caricature-artist.ts';

/** Few tones and strong outlines, until the artists are here. */
export function createPlainArtist(): CaricatureArtist {
  return {
    name: 'local',
    draw: (photo) =>
      sharp(photo)
        .resize({ width: 1024, withoutEnlargement: true })
        .median(5)
        .png({ palette: true, colours: 12 })
        .toBuffer(),
    close: () => Promise.resolve(),
  };
}
