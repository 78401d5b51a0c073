import { Download, PawPrint, Plus, RotateCcw, Share2, Trash2 } from 'lucide-react';
import { useReducer, useState } from 'react';
import type { Caricature } from '#shared/caricature';
import type { Pet } from '#shared/pet';
import { returnFocusTo } from '../../ui/focus.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useConfirm } from '../../ui/use-confirm.tsx';
import { useDeleteCaricature } from './caricature-api.ts';
import { CelebrationDialog } from './celebration-dialog.tsx';
import { celebrationReducer, useCaricatureCompletion } from './use-caricature-completion.ts';
import { useStartCaricature } from './use-start-caricature.tsx';
import { caricatureCardId } from './caricature-card.tsx';
import { useCaricatureActions } from './use-caricature-actions.ts';

/**
 * The actions on caricatures, and their dialogs.
 * @param caricatures those in sight; undefined until they are known
 */
export function useCaricatureDialogs(caricatures: Caricature[] | undefined, pets: Pet[]) {
  const deleting = useDeleting();
  const actions = useCaricatureActions();
  const [celebration, dispatch] = useReducer(celebrationReducer, null);
  const ordering = useStartCaricature((caricature) => dispatch({ type: 'celebrated', caricature }));
  const isAsking = deleting.isAsking || ordering.isAsking;
  const current = useCaricatureCompletion({ caricatures, celebration, dispatch, isHeld: isAsking });
  const closeCelebration = () => dispatch({ type: 'closed' });

  const open = (caricature: Caricature) =>
    dispatch({ type: caricature.status === 'generating' ? 'celebrated' : 'viewed', caricature });
  const redo = ({ id }: Caricature) => ordering.order({ redo: id });

  const menuOf = (caricature: Caricature): MenuItem[] => {
    const petName = findPetName(caricature, pets);
    const isRepeatable = ordering.canOrder && caricature.originalImageUrl !== null;
    const ofCompleted: (MenuItem | false)[] = [
      { name: 'Save to Device', Icon: Download, onChoose: () => actions.save(caricature, petName) },
      { name: 'Share Magic', Icon: Share2, onChoose: () => actions.share(caricature, petName) },
      { name: 'Add to memories', Icon: Plus, onChoose: () => actions.saveAsMemory(caricature) },
      caricature.petId !== null && {
        name: 'Use as profile picture',
        Icon: PawPrint,
        onChoose: () => actions.showOnProfile(caricature),
      },
      isRepeatable && { name: 'Draw it again', Icon: RotateCcw, onChoose: () => redo(caricature) },
    ];
    return [
      ...(caricature.status === 'completed' ? ofCompleted.filter((item) => item !== false) : []),
      { name: 'Delete', Icon: Trash2, isDanger: true, onChoose: () => void deleting.ask(caricature) },
    ];
  };

  return {
    order: ordering.order,
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
            isNew={celebration.isNew}
            petName={findPetName(current, pets)}
            actions={actions}
            onClose={closeCelebration}
            onViewGallery={() => {
              returnFocusTo(document.getElementById(caricatureCardId(current)));
              closeCelebration();
            }}
            onDrawAgain={ordering.canOrder ? () => redo(current) : null}
          />
        )}
        {ordering.consentDialog}
      </>
    ),
  };
}

function useDeleting() {
  const confirm = useConfirm();
  const { mutateAsync: deleteCaricature } = useDeleteCaricature();
  const [isAsking, setAsking] = useState(false);
  const ask = async ({ id }: Caricature) => {
    setAsking(true);
    await confirm({
      title: 'Are you sure you want to delete this caricature?',
      description:
        'This can’t be undone, and its public link will stop working. The original photo and any memory made from the caricature stay.',
      confirmText: 'Delete',
      pendingText: 'Deleting...',
      errorToast: ['Failed to delete the caricature', 'Please try again.'],
      onConfirm: async () => {
        await deleteCaricature(id);
        showToast({ title: 'Caricature deleted' });
      },
    });
    setAsking(false);
  };
  return { ask, isAsking };
}

/** The pet's name. */
export function findPetName({ petId }: Pick<Caricature, 'petId'>, pets: Pet[]): string {
  return pets.find(({ id }) => id === petId)?.name ?? 'Your Pet';
}
