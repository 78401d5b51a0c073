import { useState } from 'react';
import { loadLater } from '../../../lib/load-later.tsx';
import { usePets } from '../../pets/pet-api.ts';
import { Button } from '../../../ui/button.tsx';
import type { AddMemoryStep } from './add-memory-step.ts';

const AddMemory = loadLater(async () => (await import('./add-memory.tsx')).AddMemory);

export function useAddMemory(ownerId: string) {
  // Requested with the page, so that the form opens with them.
  usePets();
  /** Null until it is opened for the first time; then it keeps the form's values. */
  const [step, setStep] = useState<AddMemoryStep | null>(null);
  const startAdding = () => setStep('form');
  return {
    startAdding,
    firstPhotoButton: (
      <Button variant="secondary" onClick={startAdding}>
        Add your first photo
      </Button>
    ),
    addDialogs: step && <AddMemory ownerId={ownerId} step={step} onStep={setStep} />,
  };
}
