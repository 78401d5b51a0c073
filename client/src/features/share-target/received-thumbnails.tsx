import { useCallback, useState } from 'react';
import type { ReceivedPhoto } from './received-photos.ts';

/** More would hide the question below. */
const MAX_SHOWN = 6;

/** Of formats that the browser cannot show, only the frame. */
export function ReceivedThumbnails({ photos }: { photos: ReceivedPhoto[] }) {
  return (
    <ul aria-label="Shared photos" className="flex flex-wrap gap-2">
      {photos.slice(0, MAX_SHOWN).map(({ id, file }) => (
        <li key={id}>
          <Thumbnail file={file} />
        </li>
      ))}
    </ul>
  );
}

function Thumbnail({ file }: { file: File }) {
  const [isBroken, setBroken] = useState(false);
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return (
    <span className="block size-16 overflow-hidden rounded-print border border-hairline bg-well">
      {!isBroken && (
        <img
          ref={show}
          alt={file.name}
          className="size-full object-cover text-transparent"
          onError={() => setBroken(true)}
        />
      )}
    </span>
  );
}
