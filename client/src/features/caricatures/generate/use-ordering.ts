import { useRef, useState } from 'react';
import { CONSENT_NEEDED, type Caricature } from '#shared/caricature';
import { ApiError } from '../../../lib/api-client.ts';
import { IdempotencyKey } from '../../../lib/idempotency-key.ts';
import { showFailure } from '../../../ui/show-failure.ts';
import { useCaricatureOptions, useGiveConsent, useOrderCaricature, type Order } from '../caricature-api.ts';
import { startFailure } from '../failure-messages.ts';

/** Has caricatures drawn, one order at a time; asks first, once, where the photo goes to an outside service. */
export function useOrdering(onBegun: (caricature: Caricature) => void) {
  const { data: options } = useCaricatureOptions();
  const { mutateAsync: place, isPending } = useOrderCaricature();
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
      idempotencyKey.forget();
      onBegun(caricature);
    } catch (error) {
      if (isConsentMissing(error)) setAsked({ order, isOpen: true });
      else showFailure(error, 'Generation Failed', startFailure(error), { showsServerMessage: false });
    }
  };
  const close = () => setAsked((now) => now && { ...now, isOpen: false });
  const agree = async (order: Order): Promise<void> => {
    try {
      await giveConsent();
    } catch (error) {
      showFailure(error, 'Generation Failed', startFailure(error));
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
    consent: asked && {
      service: options?.service ?? null,
      isOpen: asked.isOpen,
      isPending: isAgreeing,
      onAgree: () => void unlessBusy(agree, asked.order),
      onClose: close,
    },
  };
}

function isConsentMissing(error: unknown): boolean {
  return error instanceof ApiError && error.body?.code === CONSENT_NEEDED;
}
