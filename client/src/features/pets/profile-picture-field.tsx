import { Image, ImageUp, Trash2, Undo2 } from 'lucide-react';
import { useCallback, useId, useState } from 'react';
import { useController, type UseFormReturn, useWatch } from 'react-hook-form';
import { type Pet, PetSpecies } from '#shared/pet';
import { MAX_UPLOAD_BYTES } from '#shared/upload';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { describeError, FieldError } from '../../ui/field.tsx';
import { PetAvatar } from './pet-avatar.tsx';
import type { PetValues } from './pet-form.ts';

interface ProfilePictureFieldProps {
  form: UseFormReturn<PetValues>;
  pet: Pet | null;
}

/** The profile picture as it is going to be: the one that is there, the one that was chosen, or none. */
export function ProfilePictureField({ form, pet }: ProfilePictureFieldProps) {
  const {
    field: { ref, value: choice },
    fieldState: { error },
  } = useController({ control: form.control, name: 'profileImage' });
  const [unshown, setUnshown] = useState<File | null>(null);
  const id = useId();
  const current = pet?.profileImageUrl ?? null;
  const hasPicture = choice instanceof File || (choice === 'kept' && current !== null);
  // Its button goes away with what it did; the focus must not.
  const put = (next: 'kept' | 'removed') => {
    setProfilePicture(form, next);
    form.setFocus('profileImage');
  };
  return (
    <fieldset>
      <legend id={`${id}-legend`} className="mb-1.5 text-small font-semibold">
        Profile picture
      </legend>
      <div className="flex items-center gap-5 sm:flex-col sm:items-stretch sm:gap-3">
        <div className="w-32 shrink-0 rounded-print bg-print p-2 shadow-print sm:w-auto">
          {choice instanceof File ? (
            <FilePreview file={choice} isUnshown={choice === unshown} onUnshown={() => setUnshown(choice)} />
          ) : (
            <PictureOrMark form={form} pet={pet} url={choice === 'kept' ? current : null} />
          )}
        </div>
        <div className="flex flex-1 flex-col gap-2 sm:gap-0">
          <label
            className={buttonClasses({
              variant: 'secondary',
              className:
                'relative px-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-ink',
            })}
          >
            <ImageUp className="size-4.5" />
            <span id={`${id}-choose`}>{hasPicture ? 'Replace' : 'Add a picture'}</span>
            <input
              ref={ref}
              type="file"
              accept={PICTURE_TYPES}
              aria-labelledby={`${id}-legend ${id}-choose`}
              {...describeError(id, error?.message)}
              onChange={({ currentTarget: input }) => {
                chooseProfilePicture(form, input.files?.[0]);
                // So that the same file can be chosen again.
                input.value = '';
              }}
              className="sr-only"
            />
          </label>
          {hasPicture && (
            <Button variant="quiet" onClick={() => put(current ? 'removed' : 'kept')}>
              <Trash2 className="size-4.5" />
              Remove
            </Button>
          )}
          {choice === 'removed' && (
            <Button variant="quiet" onClick={() => put('kept')}>
              <Undo2 className="size-4.5" />
              Keep it
            </Button>
          )}
        </div>
      </div>
      <FieldError id={id} error={error?.message} />
      <p role="status" className="text-small wrap-anywhere text-muted not-empty:mt-2">
        {statusOf(choice, choice === unshown)}
      </p>
    </fieldset>
  );
}

/** Takes a file for the profile picture, or says at the field why not. */
export function chooseProfilePicture(form: UseFormReturn<PetValues>, file: File | undefined): void {
  if (!file) return;
  const problem = validateProfilePicture(file);
  if (problem) form.setError('profileImage', { message: problem });
  else setProfilePicture(form, file);
}

function setProfilePicture(form: UseFormReturn<PetValues>, choice: PetValues['profileImage']): void {
  form.clearErrors('profileImage');
  form.setValue('profileImage', choice, { shouldDirty: true });
}

function statusOf(choice: PetValues['profileImage'], isUnshown: boolean): string {
  if (choice === 'removed') return 'The picture will be removed when you save.';
  if (choice === 'kept') return '';
  return isUnshown
    ? `${choice.name} is selected. You will see it once it is saved.`
    : `${choice.name} is selected.`;
}

/** Without a picture, the animal that was chosen further down. */
function PictureOrMark({ form, pet, url }: ProfilePictureFieldProps & { url: string | null }) {
  const species = useWatch({ control: form.control, name: 'species' });
  const chosen = PetSpecies.safeParse(species);
  return (
    <PetAvatar
      pet={{
        name: pet?.name ?? '',
        species: chosen.success ? chosen.data : 'other',
        profileImageUrl: url,
      }}
      isEager
      sizes="176px"
      className="rounded-[2px]"
    />
  );
}

/** By extension too: browsers that don't know HEIC leave its type empty. */
const PICTURE_TYPES = 'image/*,.heic,.heif';

/** Why a file can't be a profile picture, as far as can be told before the server looks into it; null when it may be one. */
function validateProfilePicture({ name, type, size }: File): string | null {
  const isPicture = type.startsWith('image/') || (type === '' && /\.hei[cf]$/i.test(name));
  if (!isPicture) return 'Please choose a picture, like a JPEG, PNG or HEIC file';
  if (size > MAX_UPLOAD_BYTES) return 'This picture is larger than 10 MB. Please choose a smaller one';
  return null;
}

interface FilePreviewProps {
  file: File;
  /** Not every browser shows every kind of picture: most don't show a HEIC. */
  isUnshown: boolean;
  onUnshown: () => void;
}

/** A picture that was chosen and not yet sent, square as it is going to be. */
function FilePreview({ file, isUnshown, onUnshown }: FilePreviewProps) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return (
    <div className="relative grid aspect-square place-items-center overflow-hidden rounded-[2px] bg-well">
      {isUnshown ? (
        <Image className="size-8 text-edge" />
      ) : (
        <img
          ref={show}
          alt="The picture you chose"
          onError={onUnshown}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </div>
  );
}
