import { useRef, useState } from 'react';
import type { User } from '#shared/user';
import { FullTimeline } from '../features/memories/full-timeline.tsx';
import { NoTimeline } from '../features/memories/no-timeline.tsx';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Button } from '../ui/button.tsx';
import { AddMemory, type AddMemoryStep } from './add-memory.tsx';

export function TimelinePage({ user }: { user: User }) {
  usePageTitle('Memory Timeline');
  const [step, setStep] = useState<AddMemoryStep>('closed');
  const heading = useRef<HTMLHeadingElement>(null);
  const returnFocusTo = useRef<HTMLElement>(null);
  const add = (button: HTMLElement) => {
    returnFocusTo.current = button;
    setStep('form');
  };
  const follow = (step: AddMemoryStep) => {
    // The button is gone by then.
    if (step === 'made') returnFocusTo.current = heading.current;
    setStep(step);
  };
  return (
    <div className="mx-auto max-w-6xl px-5 pt-8 pb-24 sm:px-8 sm:pt-14">
      <h1 ref={heading} tabIndex={-1} className="mb-6 text-display outline-none sm:mb-8">
        Memory Timeline
      </h1>
      <FullTimeline
        empty={
          <NoTimeline
            action={
              <Button variant="secondary" onClick={({ currentTarget }) => add(currentTarget)}>
                Add your first photo
              </Button>
            }
          />
        }
      />
      <AddMemory ownerId={user.id} step={step} onStep={follow} returnFocusTo={returnFocusTo} />
    </div>
  );
}
