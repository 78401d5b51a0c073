import { LoaderCircle } from 'lucide-react';

/** Decoration: the words beside it say what is going on. */
export function Spinner() {
  return <LoaderCircle className="animate-spin" />;
}
