"""Where elements lie: bytes, addresses, files, other tensors' memory, and no memory at all."""
import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


@pytest.mark.parametrize("kind", ["int16", "float32", "bool", "complex64", "uint8"])
def test_bytes_of_a_tensor_are_those_of_the_array(kind):
    array = np.arange(6).reshape(2, 3).astype(kind)
    x = Tensor(array)
    assert x.T.get_bytes() == array.T.tobytes()
    again = Tensor.convert_bytes_to_tensor(array.tobytes(), (2, 3), x.dtype)
    assert again.dtype == x.dtype
    np.testing.assert_array_equal(again.asnumpy(), array)


def test_bytes_of_bfloat16_are_the_upper_halves_of_float32():
    x = Tensor([1.0, -2.0], ms.bfloat16)
    upper = (np.array([1.0, -2.0], np.float32).view(np.uint32) >> 16).astype(np.uint16)
    assert x.get_bytes() == upper.tobytes()
    assert Tensor.convert_bytes_to_tensor(x.get_bytes(), (2,), ms.bfloat16).float().tolist() == [1.0, -2.0]


def test_bytes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"has 4 bytes, but got 1"):
        Tensor.convert_bytes_to_tensor(b"\x00", (2,), ms.int16)
    assert Tensor.convert_bytes_to_tensor(b"", (0, 2), ms.int16).shape == (0, 2)


def test_addresses_and_storages_tell_who_shares_memory():
    x = Tensor(np.arange(4, dtype=np.float32))
    assert x[2:].data_ptr() - x.data_ptr() == 8
    memory = x.storage()
    assert (memory.size(), len(memory), memory.device, memory.element_size()) == (16, 16, "CPU", 1)
    assert memory.data_ptr() == x[1:].untyped_storage().data_ptr() == x.data_ptr()
    memory.copy_(Tensor([5.0, 6.0, 7.0, 8.0]).storage())
    assert x.tolist() == [5, 6, 7, 8]
    with pytest.raises(RuntimeError, match="16 bytes"):
        memory.copy_(Tensor([1.0]).storage())
    with pytest.raises(RuntimeError, match="cannot shrink"):
        memory.resize_(4)
    assert (Tensor(1.0) + 1).storage().resize_(16).size() == 16
    with pytest.raises(TypeError, match="untyped_storage"):
        ms.UntypedStorage(3)


def test_set_shares_the_memory_of_another_tensor():
    x, y = Tensor(np.arange(1, 7, dtype=np.float32)), Tensor([9.0])
    assert y.set_(x, 1, (2, 2), (2, 1)) is y
    assert y.tolist() == [[2, 3], [4, 5]]
    y[0, 0] = 77.0
    assert x.tolist() == [1, 77, 3, 4, 5, 6]
    assert y.set_(x.storage()).tolist() == x.tolist()
    assert y.set_(x, 4).tolist() == [5, 6]
    assert y.set_(x[2:], 1, (2,)).tolist() == [4, 5]
    assert y.set_().shape == (0,)
    assert y.dtype == ms.float32


def test_set_refuses_what_lies_outside_or_is_of_another_kind():
    x, y = Tensor([1.0, 2.0]), Tensor([9.0])
    with pytest.raises(RuntimeError, match="out of bounds"):
        y.set_(x, 1, (2,), (1,))
    with pytest.raises(RuntimeError, match="Int64"):
        y.set_(Tensor([1]))
    with pytest.raises(RuntimeError, match="without gaps"):
        y.set_(Tensor([[1.0, 2.0], [3.0, 4.0]]).T)
    with pytest.raises(TypeError, match="UntypedStorage"):
        y.set_(3)
    assert y.tolist() == [9]


def test_offloaded_elements_are_read_from_their_file(tmp_path):
    path = str(tmp_path / "x.bin")
    x = Tensor(np.arange(6, dtype=np.int32).reshape(2, 3))
    assert x.offload_file_path() == ""
    assert x.offload(path) is True
    assert (x.offload_file_path(), (x + 1).tolist()) == (path, [[1, 2, 3], [4, 5, 6]])
    assert np.fromfile(path, np.int32).tolist() == [0, 1, 2, 3, 4, 5]
    x[0, 0] = 9                                    # is not written to the file
    assert np.fromfile(path, np.int32)[0] == 0
    with pytest.raises(RuntimeError, match="must be on the CPU"):
        Tensor([1.0]).to("meta").offload(path)


def test_flags_and_kinds_of_memory():
    x = Tensor([1.0])
    assert (x.init_flag, x.is_init(), x.is_meta, x.is_shared(), x.is_pinned()) == (False,) * 5
    x.set_init_flag(True)
    assert x.init_flag
    assert x.is_init()
    x.flush_from_cache()
    assert x.tolist() == [1]


def test_tensors_on_meta_have_shapes_and_no_elements():
    x = Tensor(np.ones((2, 3), np.float32)).to("meta")
    assert (x.is_meta, x.device, x.shape, x.dtype) == (True, "meta", (2, 3), ms.float32)
    assert str(x) == repr(x) == "Tensor(shape=[2, 3], dtype=Float32, value=\n<meta>)"
    assert str(Tensor([1.0], device="meta")) == "Tensor(shape=[1], dtype=Float32, value= <meta>)"
    assert (x @ x.T).shape == (2, 2)
    for read in (Tensor.asnumpy, Tensor.get_bytes, Tensor.tolist, lambda x: x.to("CPU"),
                 lambda x: Tensor(x, device="CPU"), lambda x: x.sum().item(), lambda x: x.copy().to_("CPU")):
        with pytest.raises(RuntimeError, match="meta"):
            read(x)
    assert Tensor(x).is_meta
    assert Parameter(x).is_meta


def test_numbers_go_into_compiled_functions_beside_tensors_without_elements():
    @ms.jit
    def scaled(x, k):
        return x * k

    assert Tensor([1.0]).to("meta").is_meta
    assert [float(scaled(Tensor(1.0), ms.mutable(k))) for k in (2, 3)] == [2, 3]
    with pytest.raises(RuntimeError, match="meta"):
        scaled(Tensor(1.0).to("meta"), ms.mutable(2))


@pytest.mark.parametrize("write", [Tensor.copy_, Tensor.add_, ms.ops.assign])
def test_elements_written_to_a_tensor_without_memory_are_not_lost_silently(write):
    x = Tensor([1.0, 2.0])
    x.delete_()
    with pytest.raises((RuntimeError, ValueError), match="meta"):
        write(x, Tensor([3.0, 4.0]))


@pytest.mark.parametrize("write", [Tensor.copy_, ms.ops.assign])
def test_a_parameter_without_memory_takes_that_of_what_it_is_given(write):
    w = Parameter(Tensor([1.0, 2.0]), name="w")
    w.delete_()
    write(w, Tensor([3.0, 4.0]))
    assert w.tolist() == [3, 4]


def test_a_tensor_moves_or_gives_its_memory_back():
    x = Tensor([1.0, 2.0])
    assert x.to_("CPU") is x
    assert x.to_().tolist() == [1, 2]
    x.delete_()
    assert (x.shape, x.is_meta) == ((2,), True)
    with pytest.raises(ValueError, match="'meta'"):
        x.to_("XX")


@pytest.mark.usefixtures("both_modes")
def test_a_network_on_meta_gets_elements_from_a_checkpoint(tmp_path):
    def made():
        return nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.LSTM(4, 2, batch_first=True))

    source = made()
    ms.save_checkpoint(source, str(tmp_path / "net.ckpt"))
    with ms.DeviceCtx("meta"):
        net = made()
        assert ops.zeros((2,)).is_meta
    assert not Tensor([1.0]).is_meta
    assert all(p.is_meta for p in net.get_parameters())
    x = Tensor(np.random.rand(2, 3).astype(np.float32))
    with pytest.raises((RuntimeError, ValueError), match="meta"):
        net[0](x)
    with pytest.raises(RuntimeError, match="meta"):
        ms.save_checkpoint(net, str(tmp_path / "none.ckpt"))
    assert net.to_empty() is net
    assert not net[0].weight.is_meta
    assert ms.load_param_into_net(net, ms.load_checkpoint(str(tmp_path / "net.ckpt"))) == ([], [])
    np.testing.assert_array_equal(net[0](x).asnumpy(), source[0](x).asnumpy())
    assert net.to("meta")[0].weight.is_meta
    net.load_state_dict(source.state_dict())                                   # gives elements, too
    np.testing.assert_array_equal(net[0](x).asnumpy(), source[0](x).asnumpy())


def test_to_empty_without_recursion_leaves_inner_cells():
    net = nn.SequentialCell(nn.Dense(2, 2)).to("meta")
    assert net.to_empty(recurse=False)[0].weight.is_meta
    assert not net.to_empty(device="CPU")[0].weight.is_meta
    with pytest.raises(RuntimeError, match="no elements"):
        nn.Dense(2, 2).to("meta").to("CPU")


@pytest.mark.parametrize("level", ["O0", "O1", "O2"])
def test_compiled_functions_refuse_tensors_without_elements(level):
    w = Parameter(Tensor(np.ones((64, 64), np.float32)), name="w")
    f = ms.jit(jit_level=level)(lambda x: ops.gelu(x @ w) * 2)
    x = Tensor(np.ones((64, 64), np.float32))
    assert float(f(x)[0, 0]) == 128
    with pytest.raises(RuntimeError, match="compiled function is given"):
        f(x.to("meta"))
    w.to_("meta")
    for call in (f, ms.grad(f)):
        with pytest.raises(RuntimeError, match="compiled function is given"):
            call(x)
    w.set_data(x * 2)
    assert float(f(x)[0, 0]) == 256


def test_notes_of_a_parameter_and_of_its_param_info_are_one():
    w = Parameter(Tensor([1.0, 2.0]), name="w")
    assert (w.sliced, w.cache_enable, w.cache_shape, w.key, w.inited_param) == (False, False, [], -1, None)
    w.sliced, w.cache_enable, w.cache_shape, w.key = True, True, [3], 4
    info = w.param_info
    assert (info.cache_enable, info.cache_shape, info.key, info.parameter_shape) == (True, [3], 4, [2])
    info.requires_grad, info.name = False, "v"
    assert (w.requires_grad, w.name) == (False, "v")
    w.parallel_optimizer_comm_recompute = True
    assert info.parallel_optimizer_comm_recompute
    for name, wrong in (("sliced", 3), ("key", "a"), ("cache_shape", 3)):
        with pytest.raises(TypeError, match=name):
            setattr(w, name, wrong)
    with pytest.raises(AttributeError, match="unheard"):
        info.unheard = 1
    with pytest.raises(TypeError, match="non-negative"):
        w.add_pipeline_stage(-1)


def test_settings_of_cells_of_earlier_releases():
    net = nn.SequentialCell(nn.Dense(2, 2))
    assert net.set_boost("less_bn")[0].get_flags()["less_bn"]
    with pytest.raises(ValueError, match="less_bn"):
        net.set_boost("O1")
    net.bprop_debug = True
    assert net.bprop_debug
    with pytest.raises(TypeError, match="bprop_debug"):
        net.bprop_debug = 3
    net.set_data_parallel()
    assert net(Tensor([[1.0, 2.0]])).shape == (1, 2)


def test_devices_that_are_absent_are_not_initialized():
    Tensor([1.0])
    assert ms.hal.is_initialized("CPU")
    if not ms.hal.is_available("GPU"):
        assert not ms.hal.is_initialized("GPU")
    with pytest.raises(ValueError, match="device_target"):
        ms.hal.is_initialized("XX")
