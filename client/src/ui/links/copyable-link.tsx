import { Copy } from 'lucide-react';
import { TextField } from '../forms/field.tsx';
import { Button } from '../buttons/button.tsx';
import { copyLink } from './copy-link.ts';

/** A new link to hand over. It takes the focus from the form that made it. */
export function CopyableLink({ label, url }: { label: string; url: string }) {
  return (
    <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
      <TextField label={label} value={url} readOnly onFocus={({ target }) => target.select()} />
      <Button autoFocus onClick={() => void copyLink(url)}>
        <Copy />
        Copy link
      </Button>
    </div>
  );
}
