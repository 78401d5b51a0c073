import * as RadixSwitch from 'radix-ui/switch';

interface SwitchProps extends Pick<
  RadixSwitch.SwitchProps,
  'checked' | 'onCheckedChange' | 'disabled' | 'id' | 'aria-label' | 'aria-describedby'
> {
  checked: boolean;
}

/** 44 px high. */
export function Switch(props: SwitchProps) {
  return (
    <RadixSwitch.Root
      {...props}
      className="group grid h-11 w-12 flex-none place-items-center disabled:opacity-50"
    >
      <span className="flex h-7 w-12 items-center rounded-full border border-edge bg-well px-0.5 group-data-[state=checked]:border-sage group-data-[state=checked]:bg-sage">
        <RadixSwitch.Thumb className="size-5.5 rounded-full border border-edge bg-sheet transition-transform duration-150 data-[state=checked]:translate-x-5 data-[state=checked]:border-transparent" />
      </span>
    </RadixSwitch.Root>
  );
}
