import { Download, PawPrint, Plus, RotateCcw, Share2, Trash2 } from 'lucide-react';
import { useReducer, useState } from 'react';
import type { Caricature } from '#shared/album/caricature';
import type { Pet } from '#shared/album/pet';
import { returnFocusTo } from '../../ui/focus.ts';
import type { MenuItem } from '../../ui/menus/menu-item.ts';
import { showToast } from '../../ui/toasts/toast-store.ts';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';
import { useDeleteCaricature } from './caricature-api.ts';
import { CelebrationDialog } from './completion/celebration-dialog.tsx';
import { celebrationReducer } from './completion/celebration-reducer.ts';
import { useCaricatureCompletion } from './completion/use-caricature-completion.ts';
import { useStartCaricature } from './generate/use-start-caricature.tsx';
import { caricatureCardId } from './caricature-card.tsx';
import { useCaricatureActions, type CaricatureActions } from './use-caricature-actions.ts';

/** @param caricatures the loaded list; undefined while loading */
export function useCaricatureDialogs(caricatures: Caricature[] | undefined, pets: Pet[]) {
  const deletion = useDeletion();
  const actions = useCaricatureActions();
  const [celebration, dispatch] = useReducer(celebrationReducer, null);
  const generation = useStartCaricature((caricature) => dispatch({ type: 'celebrated', caricature }));
  const isBlocked = deletion.isAsking || generation.isAsking;
  const current = useCaricatureCompletion({ caricatures, celebration, dispatch, isBlocked });
  const closeCelebration = () => dispatch({ type: 'closed' });

  const open = (caricature: Caricature) =>
    dispatch({ type: caricature.status === 'generating' ? 'celebrated' : 'viewed', caricature });
  const redo = ({ id }: Caricature) => generation.start({ redo: id });

  const buildMenu = (caricature: Caricature): MenuItem[] => {
    const isCompleted = caricature.status === 'completed';
    const canRedo = isCompleted && generation.isEnabled && caricature.originalImageUrl !== null;
    const items: (MenuItem | false)[] = [
      ...(isCompleted ? buildCompletedItems(caricature, findPetName(caricature, pets), actions) : []),
      canRedo && { name: 'Make another', Icon: RotateCcw, onChoose: () => redo(caricature) },
      { name: 'Delete', Icon: Trash2, isDanger: true, onChoose: () => void deletion.ask(caricature) },
    ];
    return items.filter((item) => item !== false);
  };

  return {
    start: generation.start,
    open,
    /** Null while caricatures are turned off. */
    retry: generation.isEnabled ? redo : null,
    buildMenu,
    isStarting: generation.isPending,
    isBlocked: celebration?.isOpen ?? false,
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
            onRedo={generation.isEnabled ? () => redo(current) : null}
          />
        )}
        {generation.consentDialog}
      </>
    ),
  };
}

function buildCompletedItems(
  caricature: Caricature,
  petName: string,
  actions: CaricatureActions,
): (MenuItem | false)[] {
  return [
    { name: 'Save to Device', Icon: Download, onChoose: () => actions.save(caricature, petName) },
    { name: 'Share Magic', Icon: Share2, onChoose: () => actions.share(caricature, petName) },
    { name: 'Add to memories', Icon: Plus, onChoose: () => actions.saveAsMemory(caricature) },
    caricature.petId !== null && {
      name: 'Use as profile picture',
      Icon: PawPrint,
      onChoose: () => actions.setProfilePicture(caricature),
    },
  ];
}

function useDeletion() {
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

export function findPetName({ petId }: Pick<Caricature, 'petId'>, pets: Pet[]): string {
  return pets.find(({ id }) => id === petId)?.name ?? 'Your Pet';
}
