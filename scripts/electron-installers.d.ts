// What `linux-packages.mjs` uses of packages that bring no types.
declare module 'electron-installer-debian' {
  /** Makes a package step by step. */
  export class Installer {
    constructor(data: object);
    stagingDir: string;
    generateDefaults(): Promise<object>;
    generateOptions(): Promise<object> | object;
    createStagingDir(): Promise<void>;
    createContents(): Promise<unknown>;
    createPackage(): Promise<void>;
    movePackage(): Promise<void>;
  }
}

declare module 'electron-installer-redhat' {
  export { Installer } from 'electron-installer-debian';
}
