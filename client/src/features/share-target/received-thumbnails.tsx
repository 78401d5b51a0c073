import { useEffect, useState } from 'react';
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
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return (
    <span className="block size-16 overflow-hidden rounded-print border border-hairline bg-well">
      {url !== null && (
        <img
          src={url}
          alt={file.name}
          className="size-full object-cover text-transparent"
          onError={() => setUrl(null)}
        />
      )}
    </span>
  );
}
