import { Download, PawPrint, Plus, RotateCcw, Share2, Trash2 } from 'lucide-react';
import { type RefObject, useReducer, useRef } from 'react';
import type { Caricature } from '#shared/caricature';
import type { Pet } from '#shared/pet';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { CelebrationDialog } from './celebration/celebration-dialog.tsx';
import { celebrationReducer, useCaricatureCompletion } from './celebration/use-caricature-completion.ts';
import { ConsentDialog } from './generate/consent-dialog.tsx';
import { useOrdering } from './generate/use-ordering.ts';
import { caricatureCardId } from './grid/caricature-card.tsx';
import { useDeleting } from './grid/use-deleting.ts';
import { useCaricatureActions } from './use-caricature-actions.ts';

interface CaricatureDialogsOptions {
  /** Those in sight; undefined until they are known. */
  caricatures: Caricature[] | undefined;
  pets: Pet[];
  /** Where the focus goes when there is nothing better. */
  heading: RefObject<HTMLElement | null>;
}

/** What can be done with caricatures, and the dialogs in which it is. */
export function useCaricatureDialogs({ caricatures, pets, heading }: CaricatureDialogsOptions) {
  const opener = useRef<HTMLElement>(null);
  const deleting = useDeleting(caricatures ?? [], heading);
  const actions = useCaricatureActions();
  const [celebration, dispatch] = useReducer(celebrationReducer, null);
  const ordering = useOrdering((caricature) => dispatch({ type: 'celebrated', caricature }));
  const isAsking = deleting.isAsking || (ordering.consent?.isOpen ?? false);
  const current = useCaricatureCompletion({ caricatures, celebration, dispatch, isHeld: isAsking });
  const closeCelebration = () => dispatch({ type: 'closed' });

  const cardOf = ({ id }: Caricature) => document.getElementById(caricatureCardId({ id })) ?? heading.current;
  /** What it was opened with may have gone, and one that opened by itself was opened with nothing. */
  const returnFocusTo = {
    get current() {
      return opener.current?.isConnected || !current ? opener.current : cardOf(current);
    },
  };
  const viewGallery = (caricature: Caricature) => {
    opener.current = cardOf(caricature);
    closeCelebration();
  };
  const open = (caricature: Caricature, button: HTMLElement) => {
    opener.current = button;
    dispatch({ type: caricature.status === 'generating' ? 'celebrated' : 'viewed', caricature });
  };
  const order: typeof ordering.order = (order, button) => {
    opener.current = button;
    ordering.order(order, button);
  };
  const redo = ({ id }: Caricature, button: HTMLElement) => order({ redo: id }, button);

  const menuOf = (caricature: Caricature): MenuItem[] => {
    const petName = petNameOf(caricature, pets);
    const isCompleted = caricature.status === 'completed';
    /** The focus stays at the menu. */
    const staying = (act: () => void) => (opener: HTMLElement) => {
      opener.focus();
      act();
    };
    const items: (MenuItem | false)[] = [
      isCompleted && {
        name: 'Save to Device',
        Icon: Download,
        onChoose: staying(() => actions.save(caricature, petName)),
      },
      isCompleted && {
        name: 'Share Magic',
        Icon: Share2,
        onChoose: staying(() => actions.share(caricature, petName)),
      },
      isCompleted && {
        name: 'Add to memories',
        Icon: Plus,
        onChoose: staying(() => actions.saveAsMemory(caricature)),
      },
      isCompleted &&
        caricature.petId !== null && {
          name: 'Use as profile picture',
          Icon: PawPrint,
          onChoose: staying(() => actions.showOnProfile(caricature)),
        },
      isCompleted &&
        ordering.canOrder &&
        caricature.originalImageUrl !== null && {
          name: 'Draw it again',
          Icon: RotateCcw,
          onChoose: (opener: HTMLElement) => redo(caricature, opener),
        },
      {
        name: 'Delete',
        Icon: Trash2,
        isDanger: true,
        onChoose: (opener: HTMLElement) => deleting.ask(caricature, opener),
      },
    ];
    return items.filter((item) => item !== false);
  };

  return {
    order,
    open,
    /** Null while none can be drawn. */
    tryAgain: ordering.canOrder ? redo : null,
    menuOf,
    isOrdering: ordering.isPending,
    /** Nothing else is begun meanwhile. */
    isHeld: celebration?.isOpen ?? false,
    dialogs: (
      <>
        {celebration && current && (
          <CelebrationDialog
            key={current.id}
            caricature={current}
            isOpen={celebration.isOpen}
            isParty={celebration.isParty}
            petName={petNameOf(current, pets)}
            actions={actions}
            onClose={closeCelebration}
            onViewGallery={() => viewGallery(current)}
            onDrawAgain={ordering.canOrder ? (button) => redo(current, button) : null}
            returnFocusTo={returnFocusTo}
          />
        )}
        {ordering.consent && <ConsentDialog {...ordering.consent} />}
        {deleting.question && <ConfirmDialog {...deleting.question} />}
      </>
    ),
  };
}

/** Whom it shows. */
export function petNameOf({ petId }: Pick<Caricature, 'petId'>, pets: Pet[]): string {
  return pets.find(({ id }) => id === petId)?.name ?? 'Your Pet';
}
