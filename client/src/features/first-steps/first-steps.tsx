import { Check, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { readStored, writeStored } from '../../lib/browser/local-storage.ts';
import { classNames } from '../../lib/class-names.ts';
import { paths } from '../../lib/routing/paths.ts';
import { useOnTrue } from '../../lib/use-on-true.ts';
import { buttonClasses, Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useContacts } from '../contacts/contact-api.ts';
import { usePets } from '../pets/pet-api.ts';

interface FirstStepsProps {
  userId: string;
  hasMemories: boolean;
  onAddPhoto: () => void;
}

/** The three steps of a new album. The section is hidden once all are done or the person puts it away, on this device. */
export function FirstSteps({ userId, ...props }: FirstStepsProps) {
  const key = `first-steps-hidden-${userId}`;
  const [isHidden, setHidden] = useState(() => readStored(key) !== null);
  if (isHidden) return null;
  const remember = () => writeStored(key, 'true');
  const hide = () => {
    remember();
    setHidden(true);
    // Its button has the focus.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return <Steps {...props} onHide={hide} onDone={remember} />;
}

interface StepsProps extends Omit<FirstStepsProps, 'userId'> {
  onHide: () => void;
  onDone: () => void;
}

function Steps({ hasMemories, onAddPhoto, onHide, onDone }: StepsProps) {
  const pets = usePets();
  const contacts = useContacts();
  const isLoading = pets.isPending || contacts.isPending;
  // Undefined if they could not be loaded.
  const hasPets = pets.data && pets.data.length > 0;
  const hasContacts = contacts.data && contacts.data.length > 0;
  useOnTrue(hasMemories && hasPets === true && hasContacts === true, onDone);
  const isStepLeft = !hasMemories || hasPets === false || hasContacts === false;
  // An empty album has a step to do: the place is kept while the other two are loading.
  if (!isStepLeft || (hasMemories && isLoading)) return null;
  const link = (href: string, name: string) => (
    <Link href={href} className={buttonClasses({ variant: 'quiet', size: 'small' })}>
      {name}
    </Link>
  );
  return (
    <section aria-labelledby="first-steps-heading" className={classNames(isLoading && 'invisible')}>
      <div className="flex items-center justify-between gap-4">
        <h2 id="first-steps-heading" className="text-title">
          First steps
        </h2>
        <IconButton name="Put the first steps away" onClick={onHide} className="-mr-2.5">
          <X className="size-5" />
        </IconButton>
      </div>
      <ol className="mt-3 divide-y divide-hairline border-y border-hairline">
        <Step
          name="Tell us who it is about"
          text="Your dog, your cat, whoever you love."
          isDone={hasPets === true}
          action={link(paths.pets, 'Add a pet')}
        />
        <Step
          name="Add the first photo"
          text="The best one, or just the last one."
          isDone={hasMemories}
          action={
            <Button variant="quiet" size="small" onClick={onAddPhoto}>
              Add a photo
            </Button>
          }
        />
        <Step
          name="Choose somebody to share with"
          text="They get your new photos by email."
          isDone={hasContacts === true}
          action={link(paths.contacts, 'Add a contact')}
        />
      </ol>
    </section>
  );
}

interface StepProps {
  name: string;
  text: string;
  isDone: boolean;
  action: ReactNode;
}

function Step({ name, text, isDone, action }: StepProps) {
  return (
    <li className="flex min-h-18 items-center gap-4 py-2">
      <span
        aria-hidden
        className={classNames(
          'grid size-7 shrink-0 place-items-center rounded-full border-2',
          isDone ? 'border-sage text-sage' : 'border-edge',
        )}
      >
        {isDone && <Check className="size-4" />}
      </span>
      <div className="min-w-0 grow">
        <p className={classNames('font-semibold', isDone && 'text-muted')}>
          {name}
          {isDone && <span className="sr-only"> (done)</span>}
        </p>
        <p className="text-small text-balance text-muted">{text}</p>
      </div>
      {!isDone && action}
    </li>
  );
}
