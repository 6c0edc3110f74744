import { type DescFile, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** What server reflection answers from: files by name and by the symbols in them. */
export class ReflectionIndex {
  /** Full names of the services, in the order of the files given. */
  readonly services: readonly string[];
  readonly #files = new Map<string, DescFile>();
  readonly #symbols = new Map<string, DescFile>();
  readonly #messages = new Set<string>();

  constructor(files: readonly DescFile[]) {
    for (const file of files) this.#add(file);
    this.services = files.flatMap((file) => file.services.map(({ typeName }) => typeName));
  }

  /** Serialized descriptors of the file and of all it imports; undefined when it is unknown. */
  fileByName(name: string): readonly Uint8Array[] | undefined {
    return serialized(this.#files.get(name));
  }

  /** The same for the file that defines a service, method, message, field, enum or enum value. */
  fileBySymbol(symbol: string): readonly Uint8Array[] | undefined {
    return serialized(this.#symbols.get(symbol));
  }

  /** Whether a message of this name exists. None has extensions: the files are proto3. */
  hasMessage(name: string): boolean {
    return this.#messages.has(name);
  }

  #add(file: DescFile): void {
    if (this.#files.has(file.proto.name)) return;
    this.#files.set(file.proto.name, file);
    for (const dependency of file.dependencies) this.#add(dependency);
    for (const service of file.services) {
      this.#symbols.set(service.typeName, file);
      for (const { name } of service.methods) this.#symbols.set(`${service.typeName}.${name}`, file);
    }
    this.#addEnums(file, file.enums);
    for (const message of file.messages) this.#addMessage(file, message);
  }

  #addMessage(file: DescFile, message: DescMessage): void {
    this.#messages.add(message.typeName);
    this.#symbols.set(message.typeName, file);
    for (const { name } of [...message.fields, ...message.oneofs])
      this.#symbols.set(`${message.typeName}.${name}`, file);
    this.#addEnums(file, message.nestedEnums);
    for (const nested of message.nestedMessages) this.#addMessage(file, nested);
  }

  #addEnums(file: DescFile, enums: DescFile["enums"]): void {
    for (const { typeName, values } of enums) {
      this.#symbols.set(typeName, file);
      // Values are siblings of their enum.
      const scope = typeName.slice(0, typeName.lastIndexOf(".") + 1);
      for (const { name } of values) this.#symbols.set(scope + name, file);
    }
  }
}

function serialized(file: DescFile | undefined): readonly Uint8Array[] | undefined {
  if (file === undefined) return undefined;
  const found = new Set<DescFile>();
  const collect = (one: DescFile) => {
    if (found.has(one)) return;
    found.add(one);
    for (const dependency of one.dependencies) collect(dependency);
  };
  collect(file);
  return [...found].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
}
