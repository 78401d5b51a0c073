import type { Registration } from '#shared/api/app-config';

const TEXTS = {
  invite: 'This album is by invitation. If you’d like to join, ask the person who runs it.',
  closed: 'This album takes no new members right now. If you have an account, welcome back.',
};

interface RegistrationNoteProps {
  registration: Registration;
  className: string;
}

/** Tells a stranger how to get an account. Renders nothing if everyone can register. */
export function RegistrationNote({ registration, className }: RegistrationNoteProps) {
  if (registration === 'open') return null;
  return <p className={className}>{TEXTS[registration]}</p>;
}
