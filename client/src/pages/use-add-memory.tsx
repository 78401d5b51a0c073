import { useRef, useState, type MouseEvent, type RefObject } from 'react';
import { Button } from '../ui/button.tsx';
import { AddMemory, type AddMemoryStep } from './add-memory.tsx';

/**
 * Lets a screen add memories.
 * @param afterwards where the focus goes when a memory was made: the button that began it may be gone by then
 */
export function useAddMemory(ownerId: string, afterwards: RefObject<HTMLElement | null>) {
  const [step, setStep] = useState<AddMemoryStep>('closed');
  const returnFocusTo = useRef<HTMLElement>(null);
  const startAdding = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    returnFocusTo.current = currentTarget;
    setStep('form');
  };
  const follow = (step: AddMemoryStep) => {
    if (step === 'made') returnFocusTo.current = afterwards.current;
    setStep(step);
  };
  return {
    startAdding,
    /** For a screen that has no memories to show yet. */
    firstPhotoButton: (
      <Button variant="secondary" onClick={startAdding}>
        Add your first photo
      </Button>
    ),
    addDialogs: <AddMemory ownerId={ownerId} step={step} onStep={follow} returnFocusTo={returnFocusTo} />,
  };
}
