import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface ConsentDialogProps {
  /** Whom the photo goes to; null until that is known. */
  service: string | null;
  isOpen: boolean;
  isPending: boolean;
  onAgree: () => void;
  onClose: () => void;
}

/** Asked once, before the first photo goes to an outside service. */
export function ConsentDialog({ service, isOpen, isPending, onAgree, onClose }: ConsentDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => !isPending && onClose()}
      title={`Send your photo to ${service ?? 'an AI service'}?`}
      description="Caricatures are made by an AI service outside Mems Are Forever."
      className="sm:max-w-lg"
      isBusy={isPending}
    >
      <ul className="mt-5 list-disc space-y-2 pl-5 marker:text-accent">
        <li>Only a copy of the photo you choose is sent, nothing else from your album.</li>
        <li>Its location and date are removed first.</li>
        <li>We only ask this once.</li>
      </ul>
      <div className="mt-7 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={() => !isPending && onClose()}>
          Not now
        </Button>
        <Button onClick={onAgree} isPending={isPending} pendingText="Agreeing...">
          Agree and create
        </Button>
      </div>
    </Dialog>
  );
}
