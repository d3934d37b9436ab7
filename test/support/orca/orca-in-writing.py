"""Runs Orca with a speech server that makes no sound: what Orca says is written to standard output, a line of JSON each.

Debian's own command is not used, since it refuses to start beside another Orca of the same user, also one of another
session. The first argument is the folder of its settings, in which this file stands as the module of the speech server.
A line on standard input is answered with {"heard": line} once Orca has dealt with everything that happened before.
"""

import json
import sys

from orca.speechserver import SpeechServer as AnySpeechServer, VoiceFamily


def write(**what):
    print(json.dumps(what, ensure_ascii=False), flush=True)


class SpeechServer(AnySpeechServer):
    """Orca finds this class by its name."""

    @staticmethod
    def getFactoryName():
        return "Writing"

    @staticmethod
    def getSpeechServers():
        return [SpeechServer()]

    @staticmethod
    def getSpeechServer(info=None):
        return SpeechServer()

    @staticmethod
    def shutdownActiveServers():
        pass

    def getInfo(self):
        return ["Writing", "writing"]

    def getVoiceFamilies(self):
        return [VoiceFamily({VoiceFamily.NAME: "silent"})]

    def speakCharacter(self, character, acss=None):
        write(said=character)

    def speakKeyEvent(self, event, acss=None):
        write(said=event.getKeyName())

    def speak(self, text=None, acss=None, interrupt=True):
        if text:
            write(said=text)

    def sayAll(self, utterances, progress):
        for context, _voice in utterances:
            write(said=context.utterance)

    def stop(self):
        write(stopped=True)


def answer(line):
    from orca import event_manager

    # The application answers on the connection on which it told what has happened, so after all of that has come here.
    for application in event_manager.getManager().registry.getDesktop(0):
        for window in application or []:
            try:
                window.getState()
            except Exception:
                pass
    from gi.repository import GLib

    def when_idle():
        if not event_manager.getManager()._eventQueue.empty():
            return True
        write(heard=line)
        return False

    GLib.idle_add(when_idle, priority=GLib.PRIORITY_LOW)


def read(source, _condition):
    line = source.readline()
    if not line:
        return False
    answer(line.strip())
    return True


def main(folder):
    sys.path.insert(0, folder)
    from gi.repository import GLib
    from orca import debug, orca

    if len(sys.argv) > 2:
        debug.debugLevel = debug.LEVEL_ALL
        debug.eventDebugLevel = debug.LEVEL_OFF
        debug.debugFile = open(sys.argv[2], "w")
    orca.getSettingsManager().activate(folder, {})
    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, read)
    sys.exit(orca.main())


if __name__ == "__main__":
    main(sys.argv[1])
