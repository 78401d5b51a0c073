import { ImagePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../../../lib/class-names.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { useFilesDragged } from '../../../lib/browser/file-drags.ts';
import { PHOTO_TYPES } from '../../uploads/one-photo.ts';
import { makePreviews } from '../../uploads/thumbnail/photo-thumbnail.ts';
import { choosePhoto, NO_PHOTO, type ChosenPhoto } from './chosen-photo.ts';

interface PhotoAreaProps {
  photo: ChosenPhoto;
  onPhoto: (photo: ChosenPhoto) => void;
  className?: string;
}

/** The form's photo, or the place to drop or choose one. Both have the same size. */
export function PhotoArea({ photo, onPhoto, className }: PhotoAreaProps) {
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isDragged = useFilesDragged();
  const { file, problem } = photo;
  return (
    <div className={classNames('relative flex', className)}>
      <input
        ref={input}
        type="file"
        hidden
        accept={PHOTO_TYPES.join()}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // So that the same can be chosen again.
          target.value = '';
          if (files.length > 0) onPhoto(choosePhoto(photo, files));
        }}
      />
      <button
        ref={button}
        type="button"
        onClick={() => input.current?.click()}
        className={classNames(
          'relative flex size-full items-center justify-center rounded-field border-2 bg-paper transition-colors duration-150',
          isDragged ? 'border-accent' : 'border-edge hover:border-ink',
          (isDragged || !file) && 'border-dashed',
          file && !isDragged && 'border-transparent',
        )}
      >
        {file ? (
          <>
            <Preview key={`${file.name} ${file.size} ${file.lastModified}`} file={file} />
            <span className="absolute bottom-2 left-2 flex min-h-11 items-center rounded-full bg-sheet px-4 text-small font-semibold shadow-print">
              Replace photo
            </span>
          </>
        ) : (
          <span className="flex flex-col items-center gap-1 px-4 text-center">
            <ImagePlus className="size-6 text-accent" />
            <span className="font-semibold">Choose a photo</span>
            <span className="text-small text-muted pointer-coarse:hidden">or drop or paste it here</span>
          </span>
        )}
      </button>
      {file && (
        <Button
          variant="secondary"
          size="small"
          onClick={() => {
            onPhoto(NO_PHOTO);
            button.current?.focus();
          }}
          className="absolute right-2.5 bottom-2.5 border-transparent bg-sheet px-4 shadow-print"
        >
          Remove
        </Button>
      )}
      {/* There before its text, so that a screen reader announces it. */}
      <p role="status" className="pointer-events-none absolute inset-x-4 top-3 text-center text-small">
        {problem && (
          <span className="inline-block rounded-field bg-sheet px-3 py-1 font-semibold text-balance text-danger">
            {problem}
          </span>
        )}
      </p>
    </div>
  );
}

function Preview({ file }: { file: File }) {
  const [preview, setPreview] = useState<string | null>();
  useEffect(() => {
    let isGone = false;
    const show = (preview: string | null) => !isGone && setPreview(preview);
    makePreviews(file).then(
      ({ preview }) => show(preview),
      () => show(null),
    );
    return () => {
      isGone = true;
    };
  }, [file]);
  if (preview === undefined) return null;
  if (preview === null)
    return <span className="max-w-52 px-4 text-small text-muted">It will look right once it is added.</span>;
  return (
    <span className="absolute inset-1.5 flex items-center justify-center">
      <img
        src={preview}
        alt=""
        className="max-h-full max-w-full animate-fade-in rounded-print bg-print object-contain p-2 shadow-print"
      />
    </span>
  );
}
