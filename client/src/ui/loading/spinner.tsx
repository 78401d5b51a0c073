import { LoaderCircle } from 'lucide-react';

export function Spinner() {
  return <LoaderCircle className="animate-spin" />;
}
