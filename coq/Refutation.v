(** * Refutation trees (certificates/facts.py and refutation.py)

    A formula is valid when assuming that it fails is contradictory.  Facts and unknowns are numbered as in Python, so that both
    checkers read the same trees. *)
From Tallystick Require Export Rewriting.

Definition form := (list (term * Z) * Z)%type.
Inductive fact := Atom (f : form) | Disj (branches : list (list (term * bool))).
Inductive tree :=
  | Case (fact : nat) (branches : list tree)
  | Split (coefficients : list (nat * Z)) (bound : Z) (below above : tree)
  | Cut (multipliers : list (nat * Z)) (rest : tree)
  | Farkas (multipliers : list (nat * Z)).

Fixpoint add_to (t : term) (z : Z) (l : list (term * Z)) : list (term * Z) :=
  match l with
  | [] => [(t, z)]
  | (u, y) :: l => if term_eqb u t then (u, y + z) :: l else (u, y) :: add_to t z l
  end.
Definition total (parts : list (Z * form)) : form :=
  let sum := fold_left (fun acc part => let '(m, (l, c)) := part in
    (fold_left (fun k tz => add_to (fst tz) (m * snd tz) k) l (fst acc), snd acc + m * c)) parts ([], 0) in
  (filter (fun tz => negb (snd tz =? 0)) (fst sum), snd sum).
Definition tightened (f : form) : form :=
  let g := fold_right (fun tz g => Z.gcd (snd tz) g) 0 (fst f) in
  if (0 <? g) && forallb (fun tz => snd tz mod g =? 0) (fst f)
  then (map (fun tz => (fst tz, snd tz / g)) (fst f), - (- snd f / g)) else f.
Definition one : form := ([], 1).

Fixpoint reach (t : term) : term :=
  match t with
  | Op (Proj i) [x] =>
      match reach x with
      | Op Ite [c; y; z] => Op Ite [c; proj y i; proj z i]
      | inner => proj inner i
      end
  | _ => t
  end.
Fixpoint linear (fuel : nat) (t : term) : form :=
  match fuel with O => ([(t, 1)], 0) | Datatypes.S fuel =>
  match t with
  | Int z => ([], z)
  | Op Add args => total (map (fun x => (1, linear fuel x)) args)
  | Op (Scale c) [x] => total [(c, linear fuel x)]
  | Op (Mod c) [x] => total [(1, linear fuel x); (- c, ([(Op (Div c) [x], 1)], 0))]
  | _ => let u := reach t in if term_eqb u t then ([(t, 1)], 0) else linear fuel u
  end end.

Definition key := option (term * bool).
Definition checked (t : term) {A} (l : list A) : list A := if is (type t) TBool then l else [].
Fixpoint lower (fuel : nat) (t : term) (h : bool) : list (key * fact) :=
  match fuel with O => [] | Datatypes.S fuel =>
  match t with
  | Bool b => if Bool.eqb b h then [] else [(None, Atom one)]
  | Op Not [x] => lower fuel x (negb h)
  | Op And args => if h then flat_map (fun x => lower fuel x h) args else [(Some (t, h), Disj (map (fun x => [(x, h)]) args))]
  | Op Or args => if h then [(Some (t, h), Disj (map (fun x => [(x, h)]) args))] else flat_map (fun x => lower fuel x h) args
  | Op Ite [c; x; y] => [(Some (t, h), Disj [[(c, true); (x, h)]; [(c, false); (y, h)]])]
  | Op Equal [x; y] =>
      match type x with
      | Some TBool => [(Some (t, h), Disj [[(x, true); (y, h)]; [(x, false); (y, negb h)]])]
      | Some TInt => lower fuel (conj [Op LessEq [x; y]; Op LessEq [y; x]]) h
      | Some (TTup ts) =>
          let parts := map (fun i => eq' (proj x i) (proj y i)) (seq 0 (List.length ts)) in
          checked (Op And parts) (lower fuel (conj parts) h)
      | _ => []
      end
  | Op Less [x; y] => lower fuel (Op LessEq [y; x]) (negb h)
  | Op LessEq [x; y] =>
      let '(sign, offset) := if h then (1, 0) else (-1, 1) in
      [(Some (t, h), Atom (tightened (total [(sign, linear fuel x); (- sign, linear fuel y); (offset, one)])))]
  | _ =>
      let u := reach t in
      if term_eqb u t then [(Some (t, h), Atom (if h then ([(t, -1)], 1) else ([(t, 1)], 0)))]
      else checked u (lower fuel u h)
  end end.
Definition key_eqb (k l : key) := match k, l with
  | None, None => true | Some (t, h), Some (u, i) => Bool.eqb h i && term_eqb t u | _, _ => false end.
Fixpoint uniq_keys (l : list (key * fact)) : list (key * fact) :=
  match l with [] => [] | x :: r => x :: filter (fun y => negb (key_eqb (fst x) (fst y))) (uniq_keys r) end.
Definition assumed (fuel : nat) (literal : term * bool) : list fact :=
  checked (fst literal) (map snd (uniq_keys (lower fuel (fst literal) (snd literal)))).

Record state := { facts : list fact; unknowns : list term }.
Definition definition (u : term) : list (term * bool) :=
  match u with
  | Op (Div c) [x] => if 0 <? c then [(Op LessEq [Int 0; Op (Mod c) [x]], true); (Op LessEq [Op (Mod c) [x]; Int (c - 1)], true)] else []
  | Op Ite [c; x; y] => [(Op Ite [c; eq' u x; eq' u y], true)]
  | _ => []
  end.
Definition trivial (f : fact) := match f with Atom ([], c) => c <=? 0 | _ => false end.
Definition mentioned (f : fact) := match f with Atom (l, _) => map fst l | _ => [] end.
Fixpoint add (fuel : nat) (s : state) (f : fact) : state :=
  match fuel with O => s | Datatypes.S fuel =>
  if trivial f then s else
  fold_left (fun s u =>
      if existsb (term_eqb u) (unknowns s) then s else
      fold_left (add fuel) (flat_map (assumed fuel) (definition u)) {| facts := facts s; unknowns := unknowns s ++ [u] |})
    (mentioned f) {| facts := facts s ++ [f]; unknowns := unknowns s |}
  end.

Definition combination (s : state) (ms : list (nat * Z)) : option form :=
  match sequence (map (fun im => match nth_error (facts s) (fst im) with
      | Some (Atom f) => if 0 <? snd im then Some (snd im, f) else None | _ => None end) ms) with
  | Some parts => Some (total parts) | None => None end.
Definition split_on (s : state) (cs : list (nat * Z)) (bound : Z) : option form :=
  match sequence (map (fun ic => match nth_error (unknowns s) (fst ic) with
      | Some u => Some (snd ic, ([(u, 1)], 0)) | None => None end) cs) with
  | Some parts => Some (total ((- bound, one) :: parts)) | None => None end.
Fixpoint close (fuel : nat) (s : state) (t : tree) {struct t} : bool :=
  match t with
  | Farkas ms => match combination s ms with Some ([], c) => 1 <=? c | _ => false end
  | Cut ms rest => match combination s ms with Some f => close fuel (add fuel s (Atom (tightened f))) rest | None => false end
  | Split cs bound below above =>
      match split_on s cs bound with
      | Some f => close fuel (add fuel s (Atom (tightened f))) below &&
                  close fuel (add fuel s (Atom (tightened (total [(-1, f); (1, one)])))) above
      | None => false
      end
  | Case i ts =>
      match nth_error (facts s) i with
      | Some (Disj bs) =>
          (fix each bs (ts : list tree) {struct ts} := match bs, ts with
           | [], [] => true
           | b :: bs, t :: ts => close fuel (fold_left (add fuel) (flat_map (assumed fuel) b) s) t && each bs ts
           | _, _ => false
           end) bs ts
      | _ => false
      end
  end.
Definition refutes (fuel : nat) (formula : term) (t : tree) : bool :=
  is (type formula) TBool &&
  close fuel (fold_left (add fuel) (assumed fuel (formula, false)) {| facts := []; unknowns := [] |}) t.

(** Soundness. *)
Section Sound.
  Variable r : env.
  Hypothesis R : typed r.
  Notation m := (meaning r).
  Definition sum (l : list (term * Z)) := fold_right (fun tz s => snd tz * toZ (m (fst tz)) + s) 0 l.
  Definition value (f : form) := sum (fst f) + snd f.
  Definition literal_true (l : term * bool) := toB (m (fst l)) = snd l.
  Definition fact_true (f : fact) := match f with
    | Atom f => value f <= 0 | Disj bs => exists b, In b bs /\ Forall literal_true b end.

  Lemma sum_add_to t z l : sum (add_to t z l) = sum l + z * toZ (m t).
  Proof.
    unfold sum in *. induction l as [|[u y] l IH]; cbn [add_to fold_right fst snd]; [lia|].
    destruct (term_eqb u t) eqn:E; cbn [fold_right fst snd]; [apply term_eqb_eq in E; subst|]; lia.
  Qed.
  Lemma sum_nonzero l : sum (filter (fun tz => negb (snd tz =? 0)) l) = sum l.
  Proof.
    unfold sum in *. induction l as [|[u y] l IH]; cbn [filter fold_right fst snd]; auto.
    destruct (Z.eqb_spec y 0); cbn [negb fold_right fst snd]; subst; lia.
  Qed.
  Lemma value_total parts : value (total parts) = fold_right (fun p s => fst p * value (snd p) + s) 0 parts.
  Proof.
    unfold total, value. cbn [fst snd]. rewrite sum_nonzero.
    enough (G : forall acc, let sum' := fold_left (fun acc part => let '(m, (l, c)) := part in
      (fold_left (fun k tz => add_to (fst tz) (m * snd tz) k) l (fst acc), snd acc + m * c)) parts acc in
      sum (fst sum') + snd sum' = sum (fst acc) + snd acc + fold_right (fun p s => fst p * value (snd p) + s) 0 parts).
    { rewrite (G ([], 0)). unfold sum. cbn [fst snd fold_right]. reflexivity || lia. }
    induction parts as [|[k [l c]] parts IH]; cbn [fold_left fold_right]; intros acc; [lia|].
    cbn zeta in *. rewrite IH. cbn [fst snd]. unfold value at 2. cbn [fst snd].
    enough (E : forall a, sum (fold_left (fun k0 tz => add_to (fst tz) (k * snd tz) k0) l a) = sum a + k * sum l) by (rewrite E; lia).
    induction l as [|[u y] l IHl]; cbn [fold_left]; intros a; [unfold sum; cbn [fold_right]; lia|]. rewrite IHl, sum_add_to.
    unfold sum. cbn [fold_right fst snd]. lia.
  Qed.
  Lemma value_tightened f : value f <= 0 -> value (tightened f) <= 0.
  Proof.
    unfold tightened. set (g := fold_right _ _ _). destruct (0 <? g) eqn:G; cbn [andb]; auto.
    destruct (forallb _ _) eqn:D; auto. apply Z.ltb_lt in G. clearbody g. unfold value. cbn [fst snd].
    assert (E : sum (fst f) = g * sum (map (fun tz => (fst tz, snd tz / g)) (fst f))).
    { destruct f as [l c]; cbn [fst snd] in *. clear c. induction l as [|[u y] l IH]; [unfold sum; cbn [fold_right map]; lia|]. cbn [forallb fst snd] in D. apply andb_true_iff in D as [D1 D2].
      unfold sum in *. cbn [map fold_right fst snd]. rewrite (IH D2). apply Z.eqb_eq in D1. pose proof (Z.div_mod y g). nia. }
    rewrite E. set (q := sum (map _ _)). intros H.
    assert (q <= - snd f / g) by (apply Z.div_le_lower_bound; lia). lia.
  Qed.
  Lemma component_nth xs i x : nth_error xs i = Some x -> component i (VTup (map m xs)) = m x.
  Proof. cbn. revert i; induction xs; intros [|i]; cbn; try discriminate; intros H; auto. congruence. Qed.
  Lemma m_proj x i : m (proj x i) = component i (m x).
  Proof.
    unfold proj; cbn [mk]. destruct x; auto. destruct o; auto. destruct (nth_error args i) eqn:E; auto.
    symmetry. exact (component_nth _ _ _ E).
  Qed.
  Lemma m_reach t : m (reach t) = m t.
  Proof.
    induction t using term_ind'; auto. destruct o; auto. destruct args as [|x [|]]; auto. inversion H; subst.
    cbn [reach]. change (m (Op (Proj index) [x])) with (component index (m x)). rewrite <- H2.
    destruct (reach x) as [| | | | |o args]; try apply m_proj. destruct o; try apply m_proj.
    destruct args as [|c [|y [|z [|]]]]; try apply m_proj.
    unfold meaning. cbn [run in_order]. fold m. change (eval r nothing nothing) with m. rewrite !m_proj. destruct (toB (m c)); auto.
  Qed.
  Lemma value_linear fuel t : value (linear fuel t) = toZ (m t).
  Proof.
    assert (U : forall t, value ([(t, 1)], 0) = toZ (m t)) by (intros; unfold value, sum; cbn [fst snd fold_right]; lia).
    revert t; induction fuel as [|fuel IH]; intros t; cbn [linear]; [apply U|].
    assert (D : value (if term_eqb (reach t) t then ([(t, 1)], 0) else linear fuel (reach t)) = toZ (m t)).
    { destruct (term_eqb _ _); [apply U|]. now rewrite IH, m_reach. }
    destruct t; auto. destruct o; auto.
    - rewrite value_total. unfold meaning; cbn [run in_order toZ]. clear D. induction args as [|x l IHl]; cbn [map fold_right fst snd]; auto.
      rewrite IHl, IH. unfold meaning. lia.
    - destruct args as [|x [|]]; auto. rewrite value_total. cbn [fold_right fst snd]. rewrite IH. unfold meaning. cbn [run in_order toZ]. lia.
    - destruct args as [|x [|]]; auto. rewrite value_total. cbn [fold_right fst snd]. rewrite IH, U. unfold meaning; cbn [run in_order toZ].
      change (eval r nothing nothing x) with (m x). generalize (toZ (m x)) as a. intros a.
      destruct (Z.eq_dec divisor 0) as [->|N]; [rewrite Zmod_0_r, Zdiv_0_r; lia|].
      pose proof (Z.div_mod a divisor N). lia.
  Qed.

  Lemma Forall2_length {A B} (P : A -> B -> Prop) l k : Forall2 P l k -> List.length l = List.length k.
  Proof. induction 1; cbn; congruence. Qed.
  Lemma toB_VBool b : toB (VBool b) = b. Proof. now destruct b. Qed.
  Lemma existsb_fails xs : existsb toB xs = false <-> forall x, In x xs -> toB x = false.
  Proof.
    split.
    - intros E x X. apply not_true_is_false. intros T. rewrite (proj2 (existsb_exists _ _)) in E; [discriminate|eauto].
    - intros A. apply not_true_is_false. intros E. apply existsb_exists in E as (x & X & T). rewrite (A x X) in T. discriminate.
  Qed.
  Lemma forallb_fails xs : forallb toB xs = false -> exists x, In x xs /\ toB x = false.
  Proof.
    induction xs as [|x l IH]; cbn; [discriminate|]. destruct (toB x) eqn:E; cbn; [|eauto].
    intros F. destruct (IH F) as (y & Y & T). eauto.
  Qed.
  Ltac lits := repeat match goal with |- Forall _ _ => constructor end; unfold literal_true; cbn [fst snd]; auto.
  Lemma lower_ok fuel : forall t h, type t = Some TBool -> literal_true (t, h) ->
    forall f, In f (map snd (lower fuel t h)) -> fact_true f.
  Proof.
    unfold literal_true. cbn [fst snd].
    induction fuel as [|fuel IH]; intros t h T L f; cbn [lower]; [intros []|].
    assert (D : In f (map snd (if term_eqb (reach t) t then [(Some (t, h), Atom (if h then ([(t, -1)], 1) else ([(t, 1)], 0)))]
                               else checked (reach t) (lower fuel (reach t) h))) -> fact_true f).
    { destruct (term_eqb _ _).
      - intros [<-|[]]. cbn [snd fact_true]. unfold toB in L. destruct h; unfold value, sum; cbn [fst snd fold_right]; lia.
      - unfold checked. destruct (is _ _) eqn:E; [|intros []]. apply is_eq in E. apply IH; auto. now rewrite m_reach. }
    assert (A : forall args, Forall (fun x => type x = Some TBool) args -> (forall x, In x args -> toB (m x) = h) ->
        In f (map snd (flat_map (fun x => lower fuel x h) args)) -> fact_true f).
    { intros args A B C. apply in_map_iff in C as (kf & <- & C). apply in_flat_map in C as (x & X & C).
      rewrite Forall_forall in A. apply (IH x h); auto. now apply in_map. }
    assert (K : forall args, forallb (fun o => is o TBool) (map type args) = true -> Forall (fun x => type x = Some TBool) args).
    { intros args; rewrite forallb_forall, Forall_forall. intros H x X. apply is_eq, H, in_map, X. }
    destruct t; auto.
    - cbn in L. rewrite toB_VBool in L. subst. now rewrite Bool.eqb_reflx.
    - destruct o; auto.
      + (* equal *) destruct args as [|x [|y [|]]]; auto.
        unfold meaning in L; cbn [run in_order] in L; fold (m x) (m y) in L. rewrite toB_VBool in L.
        assert (T' : exists k, type x = Some k /\ type y = Some k).
        { unfold type in *. cbn [typeof] in T. whens; eauto. }
        destruct T' as (k & Tx & Ty). rewrite Tx.
        pose proof (preservation r R x _ _ nothing nothing _ Tx I I) as Px.
        pose proof (preservation r R y _ _ nothing nothing _ Ty I I) as Py. fold (m x) in Px; fold (m y) in Py.
        destruct k as [| |ts|]; [| | |intros []].
        * apply IH.
          -- unfold conj. refine (proj1 (mk_ok None None r nothing nothing R I I And _ _ _)). unfold type in *. cbn. now rewrite Tx, Ty.
          -- unfold conj. assert (Y : type (Op And [Op LessEq [x; y]; Op LessEq [y; x]]) = Some TBool).
             { unfold type in *. cbn. now rewrite Tx, Ty. }
             pose proof (proj2 (mk_ok None None r nothing nothing R I I And _ _ Y)) as E. unfold meaning. rewrite E. cbn [run in_order map].
             fold (m x) (m y). rewrite toB_VBool. cbn [forallb]. rewrite !toB_VBool. rewrite (int_of _ Px), (int_of _ Py) in L |- *.
             cbn [toZ]. subst h. destruct (veqb _ _) eqn:V.
             ++ apply veqb_eq in V. inversion V. rewrite !Z.leb_refl. reflexivity.
             ++ apply veqb_neq in V. apply not_true_is_false. rewrite !andb_true_iff, !Z.leb_le. intros [? [? _]]. apply V. f_equal. lia.
        * intros [<-|[]]. cbn [snd fact_true]. rewrite (bool_of _ Px), (bool_of _ Py) in L. 
          assert (V : veqb (VBool (toB (m x))) (VBool (toB (m y))) = Bool.eqb (toB (m x)) (toB (m y)))
            by (destruct (toB (m x)), (toB (m y)); reflexivity).
          rewrite V in L. destruct (toB (m x)) eqn:X.
          -- eexists; split; [left; reflexivity|]. lits. subst h. now destruct (toB (m y)).
          -- eexists; split; [right; left; reflexivity|]. lits. subst h. now destruct (toB (m y)).
        * unfold checked. destruct (is _ _) eqn:E; [|intros []]. apply is_eq in E. 
          destruct (mk_ok None None r nothing nothing R I I And _ _ E) as [E1 E2]. apply IH; [exact E1|].
          unfold meaning, conj. rewrite E2. cbn [run in_order]. rewrite toB_VBool, map_map.
          destruct (m x) as [| |vs|] eqn:Mx; try (cbn in Px; tauto). destruct (m y) as [| |ws|] eqn:My; try (cbn in Py; tauto).
          apply has_type_tup in Px, Py. 
          assert (Q : forall i, toB (eval r nothing nothing (eq' (proj x i) (proj y i))) = veqb (nth i vs nothing) (nth i ws nothing)).
          { intros i. clear D A IH E E1 E2. unfold eq', mk. destruct (term_eqb (proj x i) (proj y i)) eqn:Q.
            - apply term_eqb_eq in Q. assert (W : m (proj x i) = m (proj y i)) by now rewrite Q.
              rewrite !m_proj, Mx, My in W. cbn [component] in W. rewrite W, veqb_refl. reflexivity.
            - cbn [run in_order]. rewrite toB_VBool. fold (m (proj x i)) (m (proj y i)). now rewrite !m_proj, Mx, My. }
          subst h. apply eq_true_iff_eq. rewrite forallb_forall, veqb_eq. split.
          -- intros H. f_equal. apply (nth_ext _ _ nothing nothing).
             ++ rewrite (Forall2_length _ _ _ Px), (Forall2_length _ _ _ Py). reflexivity.
             ++ intros i Hi. apply veqb_eq. rewrite <- Q. apply H. apply in_map_iff. exists i. split; auto.
                apply in_seq. rewrite <- (Forall2_length _ _ _ Px). lia.
          -- intros [= ->] v V. apply in_map_iff in V as (i & <- & _). rewrite Q. apply veqb_refl.
      + (* less *) destruct args as [|x [|y [|]]]; auto. apply IH.
        * unfold type in *. cbn [typeof] in *. whens. now rewrite H, H0.
        * rewrite <- L. unfold meaning. cbn [run in_order]. rewrite !toB_VBool. destruct (Z.ltb_spec (toZ (eval r nothing nothing x)) (toZ (eval r nothing nothing y))); cbn; [apply Z.leb_gt|apply Z.leb_le]; lia.
      + (* less_equal *) destruct args as [|x [|y [|]]]; auto.
        unfold meaning in L; cbn [run in_order] in L; fold (m x) (m y) in L. rewrite toB_VBool in L.
        destruct h; intros [<-|[]]; cbn [snd fact_true]; apply value_tightened; rewrite value_total; cbn [fold_right fst snd];
          rewrite !value_linear; unfold value at 1, one, sum; cbn [fst snd fold_right];
          [apply Z.leb_le in L|apply Z.leb_gt in L]; lia.
      + (* not *) destruct args as [|x [|]]; auto. apply IH.
        * unfold type in *. cbn [typeof] in T. whens. auto.
        * unfold meaning in *. cbn [run in_order] in L. rewrite toB_VBool in L. rewrite <- L. now rewrite negb_involutive.
      + (* and *) destruct (forallb (fun o => is o TBool) (map type args)) eqn:E;
          [|unfold type in T; cbn [typeof] in T; change (typeof None None) with type in T; rewrite E in T; discriminate].
        unfold meaning in L; cbn [run in_order] in L; fold m in L. rewrite toB_VBool in L. destruct h.
        * apply A; [now apply K|]. intros x X. rewrite forallb_forall in L. apply L. now apply (in_map m).
        * intros [<-|[]]. cbn [snd fact_true]. apply forallb_fails in L as (v & V & B). apply in_map_iff in V as (x & <- & X).
          exists [(x, false)]. split; [now apply (in_map (fun x => [(x, false)]))|]. lits.
      + (* or *) destruct (forallb (fun o => is o TBool) (map type args)) eqn:E;
          [|unfold type in T; cbn [typeof] in T; change (typeof None None) with type in T; rewrite E in T; discriminate].
        unfold meaning in L; cbn [run in_order] in L; fold m in L. rewrite toB_VBool in L. destruct h.
        * intros [<-|[]]. cbn [snd fact_true]. apply existsb_exists in L as (v & V & B). apply in_map_iff in V as (x & <- & X).
          exists [(x, true)]. split; [now apply (in_map (fun x => [(x, true)]))|]. lits.
        * apply A; [now apply K|]. intros x X. rewrite existsb_fails in L. apply L. now apply (in_map m).
      + (* ite *) destruct args as [|c [|x [|y [|]]]]; auto. intros [<-|[]]. cbn [snd fact_true].
        unfold meaning in L; cbn [run in_order] in L. fold (m c) (m x) (m y) in L. destruct (toB (m c)) eqn:C.
        * eexists; split; [left; reflexivity|]. lits.
        * eexists; split; [right; left; reflexivity|]. lits.
  Qed.

  Lemma uniq_keys_in x l : In x (uniq_keys l) -> In x l.
  Proof. induction l as [|y l IH]; cbn; auto. rewrite filter_In. intuition. Qed.
  Lemma assumed_ok fuel l : literal_true l -> Forall fact_true (assumed fuel l).
  Proof.
    intros L. unfold assumed, checked. destruct (is _ _) eqn:E; [|constructor]. apply is_eq in E. apply Forall_forall. intros f F.
    apply in_map_iff in F as (kf & <- & F). apply uniq_keys_in in F. destruct l as [t h].
    exact (lower_ok fuel t h E L (snd kf) (in_map snd _ _ F)).
  Qed.
  Lemma definition_ok u : Forall literal_true (definition u).
  Proof.
    destruct u; try constructor. destruct o; try constructor; cbn [definition].
    - destruct args as [|x [|]]; try constructor. destruct (Z.ltb_spec 0 divisor); [|constructor].
      pose proof (Z.mod_pos_bound (toZ (m x)) divisor H) as B.
      lits; unfold meaning in *; cbn [run in_order toZ] in *; rewrite toB_VBool; apply Z.leb_le; lia.
    - destruct args as [|c [|x [|y [|]]]]; try constructor; [|constructor]. unfold literal_true; cbn [fst snd].
      assert (Q : forall a b, m a = m b -> toB (m (eq' a b)) = true).
      { intros a b E. unfold eq', mk. destruct (term_eqb a b); [reflexivity|]. unfold meaning in *. cbn [run in_order]. rewrite toB_VBool, E. apply veqb_refl. }
      unfold meaning at 1. cbn [run in_order]. fold (m c) (m (eq' (Op Ite [c; x; y]) x)) (m (eq' (Op Ite [c; x; y]) y)).
      destruct (toB (m c)) eqn:C; apply Q; unfold meaning in *; cbn [run in_order]; now rewrite C.
  Qed.
  Definition state_true (s : state) := Forall fact_true (facts s).
  Lemma fold_left_state {B} (P : B -> Prop) (f : state -> B -> state) l :
    (forall s b, state_true s -> P b -> state_true (f s b)) -> Forall P l -> forall s, state_true s -> state_true (fold_left f l s).
  Proof. intros H F; induction F; cbn; auto. Qed.
  Lemma add_ok fuel : forall s f, state_true s -> fact_true f -> state_true (add fuel s f).
  Proof.
    induction fuel as [|fuel IH]; intros s f S F; cbn [add]; auto. destruct (trivial f); auto.
    apply (fold_left_state (fun _ => True)).
    - intros s' u S' _. destruct (existsb _ _); auto. apply (fold_left_state fact_true); auto.
      apply Forall_forall. intros g G. apply in_flat_map in G as (l & L & G).
      pose proof (definition_ok u) as D. rewrite Forall_forall in D. pose proof (assumed_ok fuel l (D l L)) as A.
      rewrite Forall_forall in A. auto.
    - apply Forall_forall; auto.
    - unfold state_true; cbn [facts]. apply Forall_app; auto.
  Qed.
  Lemma combination_ok s ms f : state_true s -> combination s ms = Some f -> value f <= 0.
  Proof.
    intros S. unfold combination. destruct (sequence _) as [parts|] eqn:E; [|discriminate]. intros [= <-]. rewrite value_total.
    revert parts E. induction ms as [|[i k] ms IH]; cbn [map sequence fst snd]; intros parts E; [inversion E; cbn; lia|].
    destruct (nth_error (facts s) i) as [[g|]|] eqn:N; try discriminate. destruct (Z.ltb_spec 0 k); [|discriminate].
    destruct (sequence _); [|discriminate]. inversion E; subst. cbn [fold_right fst snd]. specialize (IH _ eq_refl).
    apply nth_error_In in N. unfold state_true in S. rewrite Forall_forall in S. specialize (S _ N). cbn in S. nia.
  Qed.
  Fixpoint tree_size (t : tree) : nat := match t with
    | Case _ ts => Datatypes.S (fold_right (fun t n => tree_size t + n) 0 ts)%nat
    | Split _ _ t u => Datatypes.S (tree_size t + tree_size u) | Cut _ t => Datatypes.S (tree_size t) | Farkas _ => 1%nat end.
  Lemma close_ok fuel : forall n t, (tree_size t < n)%nat -> forall s, state_true s -> close fuel s t = true -> False.
  Proof.
    induction n as [|n IH]; [lia|]. intros t N s S C. destruct t as [i ts|cs b below above|ms rest|ms]; cbn [close tree_size] in *.
    - destruct (nth_error (facts s) i) as [[|bs]|] eqn:E; try discriminate.
      apply nth_error_In in E. unfold state_true in S. pose proof S as S'. rewrite Forall_forall in S. specialize (S _ E).
      destruct S as (b & B & L). clear E. revert bs C B. induction ts as [|t ts IHt]; intros [|b' bs] C [].
      + discriminate. + discriminate.
      + subst. cbn in N. apply andb_true_iff in C as [C _]. eapply (IH t); [lia| |exact C].
        apply (fold_left_state fact_true); auto using add_ok.
        apply Forall_forall. intros g G. apply in_flat_map in G as (l & X & G).
        rewrite Forall_forall in L. pose proof (assumed_ok fuel l (L l X)) as A. rewrite Forall_forall in A. auto.
      + cbn in N. apply andb_true_iff in C as [_ C]. eapply IHt; eauto. lia.
    - destruct (split_on s cs b) as [f|]; [|discriminate]. apply andb_true_iff in C as [C1 C2].
      destruct (Z.le_gt_cases (value f) 0).
      + eapply (IH below); [lia| |exact C1]. apply add_ok; auto. cbn [fact_true]. now apply value_tightened.
      + eapply (IH above); [lia| |exact C2]. apply add_ok; auto. cbn [fact_true]. apply value_tightened. rewrite value_total.
        cbn [fold_right fst snd]. unfold value at 2, one, sum. cbn [fst snd fold_right]. lia.
    - destruct (combination s ms) as [f|] eqn:E; [|discriminate]. eapply (IH rest); [lia| |exact C]. apply add_ok; auto.
      cbn [fact_true]. apply value_tightened. eapply combination_ok; eauto.
    - destruct (combination s ms) as [[[|] c]|] eqn:E; try discriminate. apply combination_ok in E; auto.
      unfold value, sum in E. cbn [fst snd fold_right] in E. apply Z.leb_le in C. lia.
  Qed.
End Sound.

Theorem refutes_ok fuel formula t : refutes fuel formula t = true ->
  type formula = Some TBool /\ forall r, typed r -> toB (meaning r formula) = true.
Proof.
  unfold refutes. rewrite andb_true_iff. intros [T C]. apply is_eq in T. split; auto. intros r R.
  destruct (toB (meaning r formula)) eqn:E; auto. exfalso. eapply (close_ok r R fuel _ t); [apply Nat.lt_succ_diag_r| |exact C].
  apply (fold_left_state r (fact_true r)); auto using add_ok.
  - now apply assumed_ok.
  - constructor.
Qed.
