import { useRef, type ReactNode } from 'react';
import { Button } from '../../../ui/buttons/button.tsx';
import type { ChosenFile } from '../queue/queued-photo.ts';
import { filesOfInput } from './chosen-files.ts';

interface FilesButtonProps {
  isFolder?: boolean;
  /** The one main action of the page. */
  isMain?: boolean;
  onChoose: (chosen: ChosenFile[]) => void;
  children: ReactNode;
}

export function FilesButton({ isFolder = false, isMain = false, onChoose, children }: FilesButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        {...(isFolder ? { webkitdirectory: '' } : { accept: 'image/*,.heic,.heif,.zip' })}
        onChange={({ target }) => {
          const chosen = filesOfInput(target.files);
          // So that the same can be chosen again.
          target.value = '';
          onChoose(chosen);
        }}
      />
      <Button variant={isMain ? 'primary' : 'secondary'} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
