"""How many of the CPU's threads a kernel gets; all that decides it, for both modes, is in this package.

OpenMP's threads either spin between two kernels, and then a part of a kernel is handed over in no time,
or sleep (OMP_WAIT_POLICY=PASSIVE, for machines that several programs share), and then it takes some 70 us
to wake one: torch adds 40,000 floats in 6 us by itself, in 76 us with a second thread.  Where they
sleep, kernels that are estimated to be short run on the calling thread alone.

* `number`: the number of threads of the thread that calls, lowered and put back.
* `estimate`: how long a kernel takes, and what is short.
* `kernels`: a kernel in PyNative mode.
* `graphs`: the kernels of a graph; `compiler.targets.cpu` writes what follows from it into the source.
"""
