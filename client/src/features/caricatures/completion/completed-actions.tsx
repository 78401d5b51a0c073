import { Download, Images, PawPrint, Plus, RotateCcw, Share2 } from 'lucide-react';
import type { Caricature } from '#shared/album/caricature';
import { Button } from '../../../ui/buttons/button.tsx';
import { ShareLink } from '../../shares/share-link.tsx';
import { useUnshareCaricature } from '../caricature-api.ts';
import type { CaricatureActions } from '../use-caricature-actions.ts';

export interface CompletedActionsProps {
  caricature: Caricature;
  petName: string;
  actions: CaricatureActions;
  onViewGallery: () => void;
  /** Null while caricatures are turned off. */
  onRedo: (() => void) | null;
}

const iconClasses = 'size-4.5 shrink-0';

export function CompletedActions({ caricature, petName, onViewGallery, ...more }: CompletedActionsProps) {
  const { mutateAsync: unshare } = useUnshareCaricature();
  const { pending, save, share } = more.actions;
  return (
    <div className="space-y-4">
      <div className="grid grid-cols-2 gap-2.5 sm:flex sm:justify-center">
        <Button
          className="max-sm:col-span-2"
          onClick={() => save(caricature, petName)}
          isPending={pending === 'save'}
          pendingText="Saving..."
        >
          <Download className={iconClasses} />
          Save to Device
        </Button>
        <Button
          // Receives the focus after sharing stops.
          data-focus-fallback=""
          variant="secondary"
          className="px-3.5"
          onClick={() => share(caricature, petName)}
          isPending={pending === 'share'}
          pendingText="Sharing..."
        >
          <Share2 className={iconClasses} />
          Share Magic
        </Button>
        <Button variant="secondary" className="px-3.5" onClick={onViewGallery}>
          <Images className={iconClasses} />
          View Gallery
        </Button>
      </div>
      <MoreActions caricature={caricature} {...more} />
      <div className="text-left">
        <ShareLink url={caricature.shareUrl} kind="caricature" onStop={() => unshare(caricature)} />
      </div>
    </div>
  );
}

type MoreActionsProps = Pick<CompletedActionsProps, 'caricature' | 'actions' | 'onRedo'>;

function MoreActions({ caricature, actions, onRedo }: MoreActionsProps) {
  const { pending } = actions;
  const isSaved = actions.isSavedAsMemory(caricature);
  return (
    <div className="flex flex-wrap justify-center gap-x-3">
      <Button
        variant="quiet"
        size="small"
        onClick={() => actions.saveAsMemory(caricature)}
        isPending={pending === 'save-as-memory'}
        pendingText="Adding..."
        aria-disabled={isSaved}
      >
        <Plus className={iconClasses} />
        {isSaved ? 'Added to memories' : 'Add to memories'}
      </Button>
      {caricature.petId && (
        <Button
          variant="quiet"
          size="small"
          onClick={() => actions.setProfilePicture(caricature)}
          isPending={pending === 'set-profile-picture'}
          pendingText="Updating..."
        >
          <PawPrint className={iconClasses} />
          Use as profile picture
        </Button>
      )}
      {caricature.originalImageUrl && onRedo && (
        <Button variant="quiet" size="small" onClick={onRedo}>
          <RotateCcw className={iconClasses} />
          Make another
        </Button>
      )}
    </div>
  );
}
