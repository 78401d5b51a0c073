import { Crop, Image, ImageUp, Trash2, Undo2 } from 'lucide-react';
import { useEffect, useId, useState, type Ref, type RefObject } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { type Pet, PetSpecies } from '#shared/album/pet';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import { Button, buttonClasses } from '../../ui/buttons/button.tsx';
import { describeError, FieldError } from '../../ui/forms/field.tsx';
import { Spinner } from '../../ui/loading/spinner.tsx';
import { showFailure } from '../../ui/toasts/show-error.ts';
import { CroppedPicture } from './cropped-picture.tsx';
import { FramePictureDialog } from './frame-picture-dialog.tsx';
import { PetAvatar } from './pet-avatar.tsx';
import type { PetForm, PetValues } from './pet-form.ts';
import { readChosenPicture, readStoredPicture, type ChosenPicture } from './picture-source.ts';

interface ProfilePictureFieldProps {
  form: PetForm;
  pet: Pet | null;
}

/** Ends when the chosen picture has its crop in the form. */
export type PictureReading = Promise<void> | null;

/** Shows the picture as it will be saved. */
export function ProfilePictureField({
  form,
  pet,
  readingRef,
}: ProfilePictureFieldProps & { readingRef: RefObject<PictureReading> }) {
  const {
    field: { ref, value: choice },
    fieldState: { error },
  } = useController({ control: form.control, name: 'profileImage' });
  const { picture, isUndecodable, adjust } = usePicture(form, pet, choice, readingRef);
  const [isFraming, setFraming] = useState(false);
  const id = useId();
  const isStored = (pet?.profileImageUrl ?? null) !== null;
  const hasPicture = choice instanceof File || (choice === 'unchanged' && isStored);
  return (
    <fieldset>
      <legend id={`${id}-legend`} className="mb-1.5 text-small font-semibold">
        Profile picture
      </legend>
      <div className="flex items-center gap-5 sm:flex-col sm:items-stretch sm:gap-3">
        <div className="w-32 shrink-0 rounded-print bg-print p-2 shadow-print sm:w-auto">
          <Preview form={form} pet={pet} picture={picture} isUndecodable={isUndecodable} />
        </div>
        <div className="flex flex-1 flex-col gap-2 sm:gap-0">
          {hasPicture && !isUndecodable && (
            <Button
              variant="secondary"
              aria-haspopup="dialog"
              aria-disabled={choice instanceof File && !picture}
              onClick={() => void adjust().then((isReady) => setFraming(isReady))}
              className="px-3 sm:mb-2"
            >
              <Crop className="size-4.5" />
              Adjust
            </Button>
          )}
          <PictureInput
            ref={ref}
            id={id}
            name={hasPicture ? 'Replace' : 'Add a picture'}
            error={error?.message}
            onChoose={(file) => chooseProfilePicture(form, file)}
          />
          <RemovalButtons form={form} choice={choice} hasPicture={hasPicture} isStored={isStored} />
        </div>
      </div>
      <FieldError id={id} error={error?.message} />
      <p role="status" className="text-small wrap-anywhere text-muted not-empty:mt-2">
        {formatStatus(choice, isUndecodable)}
      </p>
      {isFraming && picture && (
        <FramePictureDialog
          picture={picture}
          onClose={() => setFraming(false)}
          onSave={(crop) => {
            const { imageId } = picture;
            form.setValue(
              'profileImageCrop',
              { ...crop, ...(imageId && { imageId }) },
              { shouldDirty: true },
            );
            setFraming(false);
          }}
        />
      )}
    </fieldset>
  );
}

interface PictureInputProps {
  ref: Ref<HTMLInputElement>;
  /** Of the field. */
  id: string;
  name: string;
  error: string | undefined;
  onChoose: (file: File | undefined) => void;
}

function PictureInput({ ref, id, name, error, onChoose }: PictureInputProps) {
  return (
    <label
      className={buttonClasses({
        variant: 'secondary',
        className:
          'relative px-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-ink',
      })}
    >
      <ImageUp className="size-4.5" />
      <span id={`${id}-choose`}>{name}</span>
      <input
        ref={ref}
        type="file"
        accept={PICTURE_TYPES}
        aria-labelledby={`${id}-legend ${id}-choose`}
        {...describeError(id, error)}
        onChange={({ currentTarget: input }) => {
          onChoose(input.files?.[0]);
          // Lets the same file be chosen again.
          input.value = '';
        }}
        className="sr-only"
      />
    </label>
  );
}

interface RemovalButtonsProps {
  form: PetForm;
  choice: PetValues['profileImage'];
  hasPicture: boolean;
  isStored: boolean;
}

function RemovalButtons({ form, choice, hasPicture, isStored }: RemovalButtonsProps) {
  // The clicked button disappears: move the focus.
  const set = (next: 'unchanged' | 'removed') => {
    setProfilePicture(form, next);
    form.setFocus('profileImage');
  };
  if (hasPicture)
    return (
      <Button variant="quiet" onClick={() => set(isStored ? 'removed' : 'unchanged')}>
        <Trash2 className="size-4.5" />
        Remove
      </Button>
    );
  if (choice !== 'removed') return null;
  return (
    <Button variant="quiet" onClick={() => set('unchanged')}>
      <Undo2 className="size-4.5" />
      Keep it
    </Button>
  );
}

/** The picture to frame: the chosen one at once, the stored one when it is adjusted or its draft is restored. */
function usePicture(
  form: PetForm,
  pet: Pet | null,
  choice: PetValues['profileImage'],
  readingRef: RefObject<PictureReading>,
) {
  const [read, setRead] = useState<{ choice: typeof choice; picture: ChosenPicture | null } | null>(null);
  const crop = useWatch({ control: form.control, name: 'profileImageCrop' });
  useEffect(() => {
    if (!(choice instanceof File)) return;
    const url = URL.createObjectURL(choice);
    const controller = new AbortController();
    const { signal } = controller;
    readingRef.current = readChosenPicture(choice, url, form.getValues('profileImageCrop'), signal).then(
      (chosen) => {
        if (signal.aborted) return;
        form.setValue('profileImageCrop', chosen.crop);
        setRead({ choice, picture: chosen });
      },
      () => {
        if (!signal.aborted) setRead({ choice, picture: null });
      },
    );
    return () => {
      readingRef.current = null;
      controller.abort();
      URL.revokeObjectURL(url);
    };
  }, [form, choice, readingRef]);
  const isRead = read?.choice === choice;
  const restoredPet = choice === 'unchanged' && crop && !isRead ? pet : null;
  useEffect(() => {
    if (!restoredPet) return;
    let isOutdated = false;
    readStoredPicture(restoredPet).then(
      (picture) => !isOutdated && picture && setRead({ choice: 'unchanged', picture }),
      () => {}, // The saved square stays.
    );
    return () => void (isOutdated = true);
  }, [restoredPet]);
  const picture = isRead ? read.picture : null;
  const isCropOfPicture = crop !== null && crop.imageId === picture?.imageId;
  return {
    picture: picture && { ...picture, ...(isCropOfPicture && { crop }) },
    isUndecodable: isRead && picture === null,
    /** @returns whether there is a picture to adjust */
    adjust: async (): Promise<boolean> => {
      if (isRead || !pet || choice instanceof File) return isRead;
      const stored = await readStoredPicture(pet).catch(() => null);
      if (!stored) {
        showFailure('Picture not loaded', 'Please try again in a moment.');
        return false;
      }
      setRead({ choice, picture: stored });
      return true;
    },
  };
}

interface PreviewProps extends ProfilePictureFieldProps {
  picture: ChosenPicture | null;
  isUndecodable: boolean;
}

function Preview({ form, pet, picture, isUndecodable }: PreviewProps) {
  const choice = useWatch({ control: form.control, name: 'profileImage' });
  if (picture && choice !== 'removed')
    return (
      <CroppedPicture
        {...picture}
        alt={choice instanceof File ? 'The picture you chose' : (pet?.name ?? '')}
        className="rounded-[2px]"
      />
    );
  if (choice instanceof File)
    return (
      <div className="grid aspect-square place-items-center rounded-[2px] bg-well">
        {isUndecodable ? <Image className="size-8 text-edge" /> : <Spinner />}
      </div>
    );
  return (
    <SavedAvatar form={form} pet={pet} url={choice === 'unchanged' ? (pet?.profileImageUrl ?? null) : null} />
  );
}

export function chooseProfilePicture(form: PetForm, file: File | undefined): void {
  if (!file) return;
  const message = validateProfilePicture(file);
  if (message) form.setError('profileImage', { message });
  else setProfilePicture(form, file);
}

function setProfilePicture(form: PetForm, choice: PetValues['profileImage']): void {
  form.clearErrors('profileImage');
  form.setValue('profileImageCrop', null);
  form.setValue('profileImage', choice, { shouldDirty: true });
}

function formatStatus(choice: PetValues['profileImage'], isUndecodable: boolean): string {
  if (choice === 'removed') return 'The picture will be removed when you save.';
  if (choice === 'unchanged') return '';
  return isUndecodable
    ? `${choice.name} is selected. You will see it after saving.`
    : `${choice.name} is selected.`;
}

/** Without a picture, the icon of the species chosen in the form. */
function SavedAvatar({ form, pet, url }: ProfilePictureFieldProps & { url: string | null }) {
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

/** With extensions, since some browsers leave the type of a HEIC empty. */
const PICTURE_TYPES = 'image/*,.heic,.heif';

/** @returns an error message, or null. The server inspects the bytes. */
function validateProfilePicture({ name, type, size }: File): string | null {
  const isPicture = type.startsWith('image/') || (type === '' && /\.hei[cf]$/i.test(name));
  if (!isPicture) return 'Please choose a picture, like a JPEG, PNG or HEIC file';
  if (size > MAX_UPLOAD_BYTES) return 'This picture is larger than 10 MB. Please choose a smaller one';
  return null;
}
