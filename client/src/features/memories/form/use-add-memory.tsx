import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { handOver } from '../../../lib/browser/transferred-files.ts';
import { useFilesOnPage } from '../../../lib/browser/use-files-on-page.ts';
import { loadLater } from '../../../lib/routing/load-later.tsx';
import { paths } from '../../../lib/routing/paths.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { DropOverlay } from '../../../ui/drop-overlay.tsx';
import { usePets } from '../../pets/pet-api.ts';
import type { AddMemoryStep } from './add-memory-step.ts';
import { choosePhoto, isForForm, NO_PHOTO } from './chosen-photo.ts';

const AddMemory = loadLater(async () => (await import('./add-memory.tsx')).AddMemory);

/**
 * Adding memories on a page: a photo that is dropped or pasted anywhere opens the form, several go to "Add many".
 * @param petId the pet that the page is about; empty for none
 */
export function useAddMemory(ownerId: string, petId = '') {
  // Requested with the page, so that the form opens with them.
  usePets();
  /** Null until it is opened for the first time; then it keeps the form's values. */
  const [step, setStep] = useState<AddMemoryStep | null>(null);
  const [photo, setPhoto] = useState(NO_PHOTO);
  const [, navigate] = useLocation();
  const startAdding = () => setStep('form');
  useFilesOnPage((transferred) => {
    if (step === 'form' || isForForm(transferred)) {
      setPhoto(choosePhoto(photo, transferred.files));
      return startAdding();
    }
    handOver(transferred);
    navigate(paths.addMany);
  }, step === 'form');
  return {
    startAdding,
    addButton: (
      <Button onClick={startAdding} className="w-full shadow-print sm:w-auto">
        <Plus />
        Add Mems
      </Button>
    ),
    firstPhotoButton: (
      <Button variant="secondary" onClick={startAdding}>
        Add your first photo
      </Button>
    ),
    addDialogs: (
      <>
        <DropOverlay />
        {step && (
          <AddMemory
            ownerId={ownerId}
            petId={petId}
            step={step}
            onStep={setStep}
            photo={photo}
            onPhoto={setPhoto}
          />
        )}
      </>
    ),
  };
}
