import { Image } from 'lucide-react';
import { useCallback, useState } from 'react';

interface FilePreviewProps {
  file: File;
  /** Not every browser shows every kind of picture: most don't show a HEIC. */
  onUnshown: () => void;
}

/** A picture that was chosen and not yet sent, square as it is going to be. */
export function FilePreview({ file, onUnshown }: FilePreviewProps) {
  const [failed, setFailed] = useState<File | null>(null);
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return (
    <div className="relative grid aspect-square place-items-center overflow-hidden rounded-[2px] bg-well">
      {failed === file ? (
        <Image className="size-8 text-edge" />
      ) : (
        <img
          ref={show}
          alt="The picture you chose"
          onError={() => {
            setFailed(file);
            onUnshown();
          }}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </div>
  );
}
