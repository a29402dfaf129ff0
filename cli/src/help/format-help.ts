// The layout of help, for commander. `mxproof help` lists the verbs of every group (`account create`), where commander
// would list the groups; suggestions for typos still go by groups, so this holds for printing only.

import { type Argument, type Command, Help, type Option } from 'commander';

class LeafHelp extends Help {
  override visibleCommands(command: Command): Command[] {
    return super.visibleCommands(command).flatMap((each) => {
      if (each.commands.length === 0) return [each];
      // With a description, the group is a command too.
      return [...(each.description() === '' ? [] : [each]), ...this.visibleCommands(each)];
    });
  }

  /** Of `mxproof` itself: the commands that do the same are listed. */
  override visibleOptions(command: Command): Option[] {
    return command.parent === null ? [] : super.visibleOptions(command);
  }

  override subcommandTerm(command: Command): string {
    return [...pathOf(command), ...command.registeredArguments.map((each) => this.argumentTerm(each))].join(
      ' ',
    );
  }

  override argumentTerm(argument: Argument): string {
    return argument.variadic ? `[${argument.name()}…]` : `<${argument.name()}>`;
  }
}

/** The command's words without `mxproof`. */
export function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

export function formatHelp(command: Command, { helpWidth }: Help): string {
  const help = new LeafHelp();
  help.prepareContext({ ...(helpWidth !== undefined && { helpWidth }) });
  return help.formatHelp(command, help);
}
