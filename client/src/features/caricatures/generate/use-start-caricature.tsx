import { useRef, useState } from 'react';
import { CONSENT_NEEDED, type Caricature } from '#shared/album/caricature';
import { ApiError } from '../../../lib/api/api-client.ts';
import { IdempotencyKey } from '../../../lib/api/idempotency-key.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { showError } from '../../../ui/toasts/show-error.ts';
import {
  useCaricatureOptions,
  useGiveConsent,
  useGenerateCaricature,
  type CaricatureRequest,
} from '../caricature-api.ts';
import { GENERATION_FAILED, toStartErrorMessage } from '../failure-messages.ts';

/** Starts caricatures, one at a time. Asks for consent before the first photo is sent to an outside service. */
export function useStartCaricature(onStarted: (caricature: Caricature) => void) {
  const { data: options } = useCaricatureOptions();
  const { mutateAsync: generate, isPending } = useGenerateCaricature();
  const { mutateAsync: giveConsent, isPending: isAgreeing } = useGiveConsent();
  /** After a lost response, the same request must not cost a second caricature. */
  const [idempotencyKey] = useState(() => new IdempotencyKey());
  const [asked, setAsked] = useState<{ request: CaricatureRequest; isOpen: boolean } | null>(null);
  /** A ref: the second click of a double click comes before the next render. */
  const isBusy = useRef(false);

  const unlessBusy = async (
    act: (request: CaricatureRequest) => Promise<void>,
    request: CaricatureRequest,
  ): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    await act(request).finally(() => (isBusy.current = false));
  };
  const start = async (request: CaricatureRequest): Promise<void> => {
    try {
      const caricature = await generate({ request, idempotencyKey: idempotencyKey.for(request) });
      idempotencyKey.reset();
      onStarted(caricature);
    } catch (error) {
      if (isConsentMissing(error)) setAsked({ request, isOpen: true });
      else showError(error, GENERATION_FAILED, toStartErrorMessage(error), { showsServerMessage: false });
    }
  };
  const close = () => setAsked((now) => now && { ...now, isOpen: false });
  const cancel = () => {
    if (!isAgreeing) close();
  };
  const agree = async (request: CaricatureRequest): Promise<void> => {
    try {
      await giveConsent();
    } catch (error) {
      showError(error, GENERATION_FAILED, toStartErrorMessage(error));
      return;
    }
    close();
    await start(request);
  };

  return {
    isEnabled: options?.enabled ?? false,
    start: (request: CaricatureRequest) => {
      if (options?.consentNeeded) setAsked({ request, isOpen: true });
      else void unlessBusy(start, request);
    },
    isPending,
    isAsking: asked?.isOpen ?? false,
    consentDialog: asked && (
      <ConsentDialog
        isOpen={asked.isOpen}
        service={options?.service ?? 'an AI service'}
        isAgreeing={isAgreeing}
        onCancel={cancel}
        onAgree={() => void unlessBusy(agree, asked.request)}
      />
    ),
  };
}

interface ConsentDialogProps {
  isOpen: boolean;
  service: string;
  isAgreeing: boolean;
  onCancel: () => void;
  onAgree: () => void;
}

function ConsentDialog({ isOpen, service, isAgreeing, onCancel, onAgree }: ConsentDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onCancel}
      title={`Send your photo to ${service}?`}
      description="Caricatures are made by an AI service outside Mems Are Forever."
      className="sm:max-w-lg"
      isBusy={isAgreeing}
    >
      <ul className="mt-5 list-disc space-y-2 pl-5 marker:text-accent">
        <li>Only a copy of the photo you choose is sent, nothing else from your album.</li>
        <li>Its location and date are removed first.</li>
        <li>We only ask this once.</li>
      </ul>
      <div className="mt-7 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onCancel}>
          Not now
        </Button>
        <Button onClick={onAgree} isPending={isAgreeing} pendingText="Agreeing...">
          Agree and create
        </Button>
      </div>
    </Dialog>
  );
}

function isConsentMissing(error: unknown): boolean {
  return error instanceof ApiError && error.body?.code === CONSENT_NEEDED;
}
