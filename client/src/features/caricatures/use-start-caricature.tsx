import { useRef, useState } from 'react';
import { CONSENT_NEEDED, type Caricature } from '#shared/caricature';
import { ApiError } from '../../lib/api-client.ts';
import { IdempotencyKey } from '../../lib/idempotency-key.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showError } from '../../ui/show-error.ts';
import { useCaricatureOptions, useGiveConsent, useGenerateCaricature, type Order } from './caricature-api.ts';
import { toStartErrorMessage } from './failure-messages.ts';

/** Has caricatures drawn, one order at a time; asks first, once, where the photo goes to an outside service. */
export function useStartCaricature(onBegun: (caricature: Caricature) => void) {
  const { data: options } = useCaricatureOptions();
  const { mutateAsync: place, isPending } = useGenerateCaricature();
  const { mutateAsync: giveConsent, isPending: isAgreeing } = useGiveConsent();
  /** The same order keeps its key until it is answered: a lost answer must not cost a second caricature. */
  const [idempotencyKey] = useState(() => new IdempotencyKey());
  const [asked, setAsked] = useState<{ order: Order; isOpen: boolean } | null>(null);
  /** The second click of a double one comes before anything is rendered. */
  const isBusy = useRef(false);

  const unlessBusy = async (act: (order: Order) => Promise<void>, order: Order): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    await act(order).finally(() => (isBusy.current = false));
  };
  const begin = async (order: Order): Promise<void> => {
    try {
      const caricature = await place({ order, idempotencyKey: idempotencyKey.for(order) });
      idempotencyKey.reset();
      onBegun(caricature);
    } catch (error) {
      if (isConsentMissing(error)) setAsked({ order, isOpen: true });
      else showError(error, 'Generation Failed', toStartErrorMessage(error), { showsServerMessage: false });
    }
  };
  const close = () => setAsked((now) => now && { ...now, isOpen: false });
  const cancel = () => {
    if (!isAgreeing) close();
  };
  const agree = async (order: Order): Promise<void> => {
    try {
      await giveConsent();
    } catch (error) {
      showError(error, 'Generation Failed', toStartErrorMessage(error));
      return;
    }
    close();
    await begin(order);
  };

  return {
    /** Known to be possible here. */
    canOrder: options?.enabled ?? false,
    order: (order: Order) => {
      if (options?.consentNeeded) setAsked({ order, isOpen: true });
      else void unlessBusy(begin, order);
    },
    isPending,
    isAsking: asked?.isOpen ?? false,
    /** Asked once, before the first photo goes to an outside service. */
    consentDialog: asked && (
      <Dialog
        isOpen={asked.isOpen}
        onClose={cancel}
        title={`Send your photo to ${options?.service ?? 'an AI service'}?`}
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
          <Button variant="secondary" onClick={cancel}>
            Not now
          </Button>
          <Button
            onClick={() => void unlessBusy(agree, asked.order)}
            isPending={isAgreeing}
            pendingText="Agreeing..."
          >
            Agree and create
          </Button>
        </div>
      </Dialog>
    ),
  };
}

function isConsentMissing(error: unknown): boolean {
  return error instanceof ApiError && error.body?.code === CONSENT_NEEDED;
}
