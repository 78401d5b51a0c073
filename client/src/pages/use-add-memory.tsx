import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { AddMemory, type AddMemoryStep } from './add-memory.tsx';

/** Lets a screen add memories. */
export function useAddMemory(ownerId: string) {
  const [step, setStep] = useState<AddMemoryStep>('closed');
  const startAdding = () => setStep('form');
  return {
    startAdding,
    /** For a screen that has no memories to show yet. */
    firstPhotoButton: (
      <Button variant="secondary" onClick={startAdding}>
        Add your first photo
      </Button>
    ),
    addDialogs: <AddMemory ownerId={ownerId} step={step} onStep={setStep} />,
  };
}
