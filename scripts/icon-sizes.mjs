/** Pixels of a side, of the icons for Linux (freedesktop.org, Icon Theme Specification). */
export const iconSizes = [16, 24, 32, 48, 64, 128, 256, 512];
