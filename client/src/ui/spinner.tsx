import { LoaderCircle } from 'lucide-react';

/** Decoration: the words beside it say what is going on. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-5 animate-spin" strokeWidth={1.75} />;
}
